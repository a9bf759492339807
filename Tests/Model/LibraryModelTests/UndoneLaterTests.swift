import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

@Suite("What is taken back when other things have changed", .limited)
struct UndoneLaterTests {
  private var world = World()

  init() {
    world.putAlbum("A", tracks: 4, sound: 10, in: nil)
    world.putAlbum("B", sound: 20, in: nil)
    world.merge()
  }

  private func history(_ decision: Decision) -> UndoHistory {
    var history = UndoHistory()
    history.follow(decision.transaction.at(1))
    return history
  }

  @Test("a crate keeps its new name where the old one is taken by now, and that is told")
  mutating func nameTaken() throws {
    try world.edit(.moveAlbums([world.id("B")], nil, crate: "Jazz"))
    let renamed = try world.edit(.renameCrate("Jazz", to: "Blue"))
    let free = try #require(world.library.decideUndo(history(renamed), newAlbums: nil))
    #expect(free.transaction.notes.isEmpty)
    #expect(free.library.crates.map(\.name) == ["Music", "Jazz"])
    world.putAlbum("C", sound: 30, in: nil)
    world.merge()
    try world.edit(.moveAlbums([world.id("C")], nil, crate: "Jazz"))
    let taken = try #require(world.library.decideUndo(history(renamed), newAlbums: nil))
    #expect(taken.transaction.notes == ["Blue keeps its name: Jazz is taken"])
    #expect(taken.library.crates.map(\.name) == ["Music", "Blue", "Jazz"])
  }

  @Test("a forgotten song goes to the top where what was above it is forgotten, too")
  mutating func anchorForgotten() throws {
    try world.edit(.moveSongs([world.song("A 1").id], .bottom))
    let (above, below) = (try world.song("A 2").id, try world.song("A 3").id)
    _ = world.remove("A/2 A 2.flac")
    _ = world.remove("A/3 A 3.flac")
    world.merge()
    let forgotten = try world.edit(.forget(songs: [below], albums: [], all: false))
    func entries() throws -> [SongID] {
      let undone = try #require(world.library.decideUndo(history(forgotten), newAlbums: nil))
      return try #require(undone.library.albums[world.id("A")]).entries
    }
    #expect(try entries().prefix(2) == [above, below])
    try world.edit(.forget(songs: [above], albums: [], all: false))
    #expect(try entries().first == below)
    #expect(try entries().count == 3)
  }

  @Test("songs that are there change places when they are shuffled, however many are gone")
  mutating func shuffled() throws {
    let entries = try #require(world.album("B")).entries
    _ = world.remove("B/2 B 2.flac")
    world.merge()
    for seed in 0..<20 {
      let sorted = try world.library.decide(
        .sortSongs(entries, .shuffled(seed: UInt64(seed))), newAlbums: nil
      ).library
      let album = try #require(sorted.albums[world.id("B")])
      #expect(sorted.listedSongs(of: album).map(\.title) == ["B 3", "B 1"])
    }
  }
}
