import Glibc
import LibraryModel
import Platform
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
    ThumbnailCache(directory: BytePath(directory), most: most, clock: .system)
  }

  private func kept() throws -> [String] { try names(in: directory).sorted() }

  private func modified(_ name: String) -> Int64? {
    FileStatus(name: "\(directory)/\(name)", followsLinks: false)?.modified
  }

  @Test("A file has the form that it has had since it was first made")
  func form() throws {
    let cache = cache()
    let cover = try #require(Thumbnail(width: 2, height: 1, bytes: [1, 2, 3, 4, 5, 6]))
    cache.keep(.made(cover), try digest(1), side: 16)
    let head = Array("CRTHUMB1".utf8)
    let bytes = try readFile("\(directory)/0000000000000001-16")
    #expect(Array(bytes.prefix(18)) == head + [2, 0, 1, 0, 1, 2, 3, 4, 5, 6])
    let hash = CoverDigest(of: Array(bytes.prefix(18))).number.littleEndian
    #expect(Array(bytes.dropFirst(18)) == withUnsafeBytes(of: hash) { Array($0) })
    cache.keep(.unshowable, try digest(1), side: 16)
    let none = try readFile("\(directory)/0000000000000001-16")
    #expect(Array(none.prefix(12)) == head + [0, 0, 0, 0] && none.count == 20)
    #expect(try names(in: directory) == ["0000000000000001-16"])
  }

  @Test("Covers of all sides are kept, and none that is larger than it is asked for")
  func sides() throws {
    let cache = cache()
    for (number, (width, height)) in [(512, 512), (300, 260), (16, 8), (1, 16)].enumerated() {
      let digest = try digest(UInt64(number + 1))
      let cover = try #require(
        Thumbnail(
          width: width, height: height,
          bytes: (0..<width * height * 3).map { UInt8(truncatingIfNeeded: $0) }))
      let side = max(width, height)
      cache.keep(.made(cover), digest, side: side)
      #expect(cache.entry(digest, side: side) == .made(cover))
      let path = "\(directory)/\(digest)-\(side)"
      try writeFile(try readFile(path), to: "\(directory)/\(digest)-\(side - 1)")
      #expect(cache.entry(digest, side: side - 1) == nil)
    }
  }

  @Test("What is shown is marked as used once a day")
  func used() throws {
    let wall = Monitor<Int64>(0)
    let cache = ThumbnailCache(
      directory: BytePath(directory),
      clock: Clock(monotonic: { 0 }, wall: { wall.withLock { $0 } }))
    cache.keep(.unshowable, try digest(1), side: 16)
    let name = "0000000000000001-16"
    let age = timespec(tv_sec: 1_000, tv_nsec: 7)
    utimensat(AT_FDCWD, "\(directory)/\(name)", [age, age], 0)
    let old: Int64 = 1_000_000_000_007
    wall.withLock { $0 = old + 86_400_000_000_000 }
    #expect(cache.entry(try digest(1), side: 16) == .unshowable && modified(name) == old)
    wall.withLock { $0 += 1 }
    #expect(cache.entry(try digest(1), side: 16) == .unshowable)
    #expect(try #require(modified(name)) > old)
  }

  @Test("All of them take 64 MiB at most, whoever made them")
  func bytes() throws {
    let mebibyte: Int64 = 1 << 20
    mkdir(directory, 0o700)
    // Files with nothing in them, which take no room.
    func make(_ name: String, _ size: Int64, used: Int) throws {
      try writeFile([], to: "\(directory)/\(name)")
      #expect(truncate("\(directory)/\(name)", Int(size)) == 0)
      let age = timespec(tv_sec: used, tv_nsec: 0)
      utimensat(AT_FDCWD, "\(directory)/\(name)", [age, age], 0)
    }
    for number in 1...63 { try make("old-\(number)", mebibyte, used: number) }
    try make("odd", mebibyte - 20, used: 100)
    let cache = cache()
    cache.keep(.unshowable, try digest(1), side: 16)
    #expect(try names(in: directory).count == 65)
    cache.keep(.unshowable, try digest(2), side: 16)
    let left = try names(in: directory)
    // Three quarters of it: 46 of the first, and those that are smaller.
    #expect(left.count == 49)
    #expect(Set(left).isSuperset(of: ["odd", "old-18", "0000000000000001-16"]))
    // What is in the way of one is not counted, and nothing is left of the attempt.
    mkdir("\(directory)/0000000000000003-16", 0o700)
    cache.keep(.unshowable, try digest(3), side: 16)
    #expect(try names(in: directory).count == 50)
  }

  private func made(_ side: Int, _ value: UInt8) throws -> Thumbnail {
    try #require(
      Thumbnail(
        width: side, height: side, bytes: [UInt8](repeating: value, count: side * side * 3)))
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

  @Test("A JPEG is kept beside the pixels of the same cover, and neither is taken for the other")
  func forms() throws {
    let cache = cache()
    let one = try digest(1)
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 1, 2, 0xFF, 0xD9]
    let made = try #require(Thumbnail(width: 16, height: 9, form: .jpeg, bytes: jpeg))
    cache.keep(.made(made), one, side: 16, form: .jpeg)
    #expect(cache.entry(one, side: 16, form: .jpeg) == .made(made))
    #expect(cache.entry(one, side: 16) == nil)
    let pixels = try self.made(16, 1)
    cache.keep(.made(pixels), one, side: 16)
    cache.keep(.unshowable, try digest(2), side: 16, form: .jpeg)
    let names = ["0000000000000001-16", "0000000000000001-16.jpeg", "0000000000000002-16.jpeg"]
    #expect(try kept() == names)
    #expect(cache.entry(one, side: 16, form: .jpeg) == .made(made))
    #expect(cache.entry(one, side: 16) == .made(pixels))
    #expect(cache.entry(try digest(2), side: 16, form: .jpeg) == .unshowable)
    let bytes = try readFile("\(directory)/\(names[1])")
    #expect(Array(bytes.dropLast(8)) == Array("CRTHUMB1".utf8) + [16, 0, 9, 0] + jpeg)
    // Under the other's name each is damaged.
    try writeFile(bytes, to: "\(directory)/\(names[0])")
    #expect(cache.entry(one, side: 16) == nil)
    cache.keep(.made(pixels), one, side: 16)
    try writeFile(
      try readFile("\(directory)/\(names[0])"), to: "\(directory)/\(names[1])")
    #expect(cache.entry(one, side: 16, form: .jpeg) == nil)
    // The longest may be as long as the pixels of the largest.
    let long = try #require(
      Thumbnail(
        width: 512, height: 512, form: .jpeg,
        bytes: [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: 786_427) + [0xFF, 0xD9]))
    cache.keep(.made(long), one, side: 512, form: .jpeg)
    #expect(cache.entry(one, side: 512, form: .jpeg) == .made(long))
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
    var counts: [Int] = []
    for number in 6...9 as ClosedRange<UInt64> {
      cache.keep(.made(try made(16, 1)), try digest(number), side: 16)
      counts.append(try names(in: directory).count)
    }
    #expect(counts == [4, 3, 4, 3])
    // One that finds them counts them first.
    self.cache(most: 4 * one).keep(.made(try made(16, 1)), try digest(10), side: 16)
    #expect(try names(in: directory).count == 4)
  }

  @Test("Where nothing can be written nothing is kept, and nothing breaks")
  func unwritable() throws {
    try writeFile([1], to: directory)
    let cache = cache()
    cache.keep(.unshowable, try digest(1), side: 16)
    #expect(cache.entry(try digest(1), side: 16) == nil)
  }
}
