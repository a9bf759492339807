import Glibc
import LibraryModel
import TagReading
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Covers that were made before", .limited)
struct ThumbnailCacheTests {
  private let folder: TemporaryFolder
  private var directory: String { folder.path("covers") }

  init() throws { folder = try TemporaryFolder() }

  private func cache(most: Int = ThumbnailCache.bytesMost) -> ThumbnailCache {
    ThumbnailCache(directory: BytePath(directory), most: most)
  }

  private func made(_ side: Int, _ value: UInt8) throws -> Thumbnail {
    try #require(
      Thumbnail(
        width: side, height: side, rgb: [UInt8](repeating: value, count: side * side * 3)))
  }

  private func digest(_ number: UInt64) throws -> CoverDigest {
    try #require(CoverDigest(number: number))
  }

  @Test("What is kept is found by digest and side, and by others, too")
  func keeping() throws {
    let cover = try made(20, 7)
    let cache = cache()
    #expect(cache.entry(try digest(1), side: 20) == nil)
    cache.keep(.made(cover), try digest(1), side: 20)
    cache.keep(.unshowable, try digest(2), side: 20)
    for cache in [cache, self.cache()] {
      #expect(cache.entry(try digest(1), side: 20) == .made(cover))
      #expect(cache.entry(try digest(2), side: 20) == .unshowable)
      #expect(cache.entry(try digest(1), side: 21) == nil)
      #expect(cache.entry(try digest(3), side: 20) == nil)
    }
    #expect(try names(in: directory).count == 2)
  }

  @Test("Whatever was damaged is not there, and made anew")
  func damage() throws {
    let cache = cache()
    let cover = try made(16, 9)
    cache.keep(.made(cover), try digest(1), side: 16)
    let path = "\(directory)/0000000000000001-16"
    let whole = try readFile(path)
    for place in stride(from: 0, to: whole.count, by: 37) {
      var bytes = whole
      bytes[place] ^= 4
      try writeFile(bytes, to: path)
      #expect(cache.entry(try digest(1), side: 16) == nil)
      #expect(access(path, F_OK) != 0)
      try writeFile(Array(whole.prefix(place)), to: path)
      #expect(cache.entry(try digest(1), side: 16) == nil)
    }
    // One that is larger than the side it is kept for, and one that is longer than any.
    try writeFile(whole, to: "\(directory)/0000000000000001-15")
    #expect(cache.entry(try digest(1), side: 15) == nil)
    try writeFile([UInt8](repeating: 0, count: 2_000_000), to: path)
    #expect(cache.entry(try digest(1), side: 16) == nil)
    cache.keep(.made(cover), try digest(1), side: 16)
    #expect(cache.entry(try digest(1), side: 16) == .made(cover))
  }

  @Test("There is never more than the limit, and what was used longest ago goes")
  func limit() throws {
    let one = 16 * 16 * 3 + 20
    for number in 1...4 as ClosedRange<UInt64> {
      cache().keep(.made(try made(16, 1)), try digest(number), side: 16)
      // Older ones first, whatever the clock's grain is.
      let age = timespec(tv_sec: Int(number) * 1_000, tv_nsec: 0)
      utimensat(AT_FDCWD, "\(directory)/000000000000000\(number)-16", [age, age], 0)
    }
    let cache = cache(most: 4 * one)
    // Used now.
    #expect(cache.entry(try digest(1), side: 16) != nil)
    cache.keep(.made(try made(16, 1)), try digest(5), side: 16)
    #expect(
      Set(try names(in: directory)) == [
        "0000000000000001-16", "0000000000000004-16", "0000000000000005-16",
      ])
    for number in 6...40 as ClosedRange<UInt64> {
      cache.keep(.made(try made(16, 1)), try digest(number), side: 16)
      #expect(try names(in: directory).count <= 4)
    }
  }

  @Test("Where nothing can be written nothing is kept, and nothing breaks")
  func unwritable() throws {
    try writeFile([1], to: directory)
    let cache = cache()
    cache.keep(.unshowable, try digest(1), side: 16)
    #expect(cache.entry(try digest(1), side: 16) == nil)
  }
}
