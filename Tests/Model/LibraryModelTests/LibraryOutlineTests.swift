import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

@Suite("An outline of a library", .limited)
struct LibraryOutlineTests {
  private static let music = BytePath("/home/ada/Music")

  private func library(_ seed: UInt64, steps: Int = 80) throws -> Library {
    var maker = LibraryMaker(seed: seed)
    for _ in 0..<steps { _ = try maker.changes() }
    maker.library.advance(to: steps)
    maker.library.away.folders = [BytePath("/elsewhere"), Self.music]
    return maker.library
  }

  private func outline(_ library: Library) throws -> LibraryOutline {
    let listed = library.songs.values.count { !$0.isGone }
    return try #require(LibraryOutline(library, songsOfFolder: [Self.music: listed]))
  }

  @Test("shows crates and albums as the library does, and survives the disk", arguments: 0..<200)
  func same(seed: UInt64) throws {
    let library = try library(seed)
    let outline = try outline(library)
    let read = try #require(LibraryOutline(packed: outline.packed))
    #expect(read == outline)
    let shown = Library(read)
    let listed = library.songs.values.count { !$0.isGone }
    #expect(outline.folders.map(\.path) == [BytePath("/elsewhere"), Self.music])
    #expect(outline.folders.map(\.songs) == [0, listed])
    #expect(shown.isOutline && shown.sequence == library.sequence)
    #expect(shown.away.folders == library.away.folders)
    #expect(shown.crates.map(\.name) == library.crates.map(\.name))
    for (crate, whole) in zip(shown.crates, library.crates) {
      #expect(Array(crate.albums) == Array(whole.albums))
      for id in whole.albums {
        let (album, known) = (try #require(shown.albums[id]), try #require(library.albums[id]))
        #expect(shown.summary(of: album) == library.summary(of: known))
        #expect(shown.presence(of: album) == library.presence(of: known))
        #expect(shown.crate(album.crate)?.name == whole.name)
        #expect(album.isArranged == known.isArranged)
        #expect(shown.isTouched(id) == library.isTouched(id))
        #expect(album.group.bond == known.group.bond)
        #expect(shown.listedCount(of: id) == library.listedCount(of: id))
      }
    }
  }

  @Test("cut off or changed anywhere, it is nothing")
  func damaged() throws {
    let packed = try outline(library(7, steps: 12)).packed
    #expect(LibraryOutline(packed: packed) != nil)
    for place in packed.indices {
      #expect(LibraryOutline(packed: Array(packed[..<place])) == nil)
      for bit in 0..<8 as Range<UInt8> {
        var damaged = packed
        damaged[place] ^= 1 << bit
        #expect(LibraryOutline(packed: damaged) == nil)
      }
    }
  }

  @Test("There is none where songs lie in no music folder: they are offline")
  func outside() throws {
    let library = try library(3)
    let listed = library.songs.values.count { !$0.isGone }
    try #require(listed > 0)
    #expect(LibraryOutline(library, songsOfFolder: [Self.music: listed - 1]) == nil)
    #expect(LibraryOutline(library, songsOfFolder: [:]) == nil)
  }

  @Test("The bytes are the same ones in every version that has this layout")
  func layout() throws {
    var small = try SmallLibrary()
    small.attach(10, milliseconds: 60_000, cover: 7) { ($0.album, $0.date) = ("A", "1959") }
    small.library.touch(AlbumID(number: 1))
    small.library.away.folders = [BytePath("/m")]
    small.library.advance(to: 9)
    let outline = try #require(
      LibraryOutline(small.library, songsOfFolder: [BytePath("/m"): 6]))
    #expect(outline.packed.prefix(9) == [84, 201, 11, 210, 3, 45, 98, 20, 5])
  }
}
