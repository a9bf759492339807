import TestSupport
import Testing

@testable import LibraryModel

@Suite("Texts of a part, with songs", .limited)
struct PartialTextTests {
  private var world = World()

  init() {
    world.putAlbum("A", tracks: 4, sound: 10, in: nil)
    world.merge()
  }

  private func written(_ titles: [String], in crate: String = "Music") throws -> WrittenOrder {
    var written = WrittenOrder()
    written.crates = [WrittenOrder.Crate(name: crate, line: 1)]
    var album = WrittenOrder.Album(id: try world.id("A"), line: 2)
    album.songs = try titles.map { WrittenOrder.Song(id: try world.song($0).id, line: 3) }
    written.crates[0].albums = [album]
    return written
  }

  private func decide(
    _ written: WrittenOrder, hasSongs: Bool = true, base: Library? = nil
  ) throws -> Decision {
    try world.library.decide(
      written, readFrom: base ?? world.library,
      scope: TextScope(hasSongs: hasSongs, isPartial: true), newAlbums: nil)
  }

  @Test("songs that it names stand together, from the first one on, and their album is touched")
  mutating func songs() throws {
    let album = try world.id("A")
    #expect(try decide(written(["A 1", "A 3"])).changes.isEmpty)
    #expect(try decide(written([])).changes.isEmpty)
    let text = try written(["A 3", "A 1"])
    #expect(try decide(text, hasSongs: false).changes.isEmpty)
    let decision = try decide(text)
    #expect(decision.transaction.notes.isEmpty)
    #expect(decision.library.isTouched(album))
    world.library = decision.library
    #expect(world.songs(of: "A") == ["A 2", "A 3", "A 1", "A 4"])
    #expect(try decide(text).changes.isEmpty)
  }

  @Test("a gone song goes with what it stood behind, and one that went is told of")
  mutating func gone() throws {
    let text = try written(["A 3", "A 1"])
    let base = world.library
    let gone = try world.song("A 2").id
    let lost = try world.song("A 3").id
    _ = world.remove("A/2 A 2.flac")
    _ = world.remove("A/3 A 3.flac")
    world.merge()
    try world.edit(.forget(songs: [lost], albums: [], all: false))
    let decision = try decide(text, base: base)
    #expect(decision.transaction.notes == ["A 3: not there any more"])
    #expect(decision.changes.isEmpty)
    let other = try decide(written(["A 4", "A 1"]))
    #expect(other.library.albums[try world.id("A")]?.entries.last == gone)
  }

  @Test("a crate that is not there comes into being below the others, and none is renamed")
  func crate() throws {
    let decision = try decide(written([], in: "New"), hasSongs: false)
    #expect(decision.library.crates.map(\.name) == ["New"])
    #expect(
      decision.transaction.sentence == "A is in the new crate New, and Music, left empty, is gone")
    #expect(try decide(written([], in: "MUSIC"), hasSongs: false).changes.isEmpty)
  }
}
