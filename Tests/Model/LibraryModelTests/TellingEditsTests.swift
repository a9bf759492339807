import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

@Suite("How edits are told", .limited)
struct TellingEditsTests {
  private var world: World

  init() throws { world = try TellingTests.world() }

  private func ids(_ titles: [String]) throws -> [AlbumID] { try titles.map { try world.id($0) } }

  private func songs(_ titles: [String]) throws -> [SongID] {
    try titles.map { try world.song($0).id }
  }

  private func told(_ edit: Edit) throws -> String {
    try world.library.decide(edit, newAlbums: nil).transaction.sentence
  }

  @Test("a sorting says by what, and which end is first")
  func sortings() throws {
    let albums: [(AlbumSorting, Bool?, String)] = [
      (.added, nil, "sorted by time of arrival, newest first"),
      (.added, false, "sorted by time of arrival, newest first"),
      (.added, true, "sorted by time of arrival, oldest first"),
      (.released, nil, "sorted by year, newest first"),
      (.released, true, "sorted by year, oldest first"), (.artist, nil, "sorted by artist"),
      (.artist, true, "sorted by artist"), (.artist, false, "sorted by artist, descending"),
      (.title, nil, "sorted by title"), (.title, false, "sorted by title, descending"),
      (.reversed, nil, "reversed"), (.shuffled(seed: 1), nil, "shuffled"),
    ]
    let all = world.listed().map(\.id)
    for (sorting, ascending, words) in albums {
      let told = try told(.sortAlbums(all, sorting, ascending: ascending))
      #expect(
        [words, "\(words) already"].contains(
          told.replacing("nothing to do: ", with: "").replacing("Music is ", with: "")), "\(told)")
    }
    let songs: [(SongSorting, Bool?, String)] = [
      (.added, nil, "sorted by time of arrival, newest first"),
      (.added, false, "sorted by time of arrival, newest first"),
      (.added, true, "sorted by time of arrival, oldest first"), (.track, nil, "sorted by track"),
      (.track, true, "sorted by track"), (.track, false, "sorted by track, descending"),
      (.title, nil, "sorted by title"), (.title, false, "sorted by title, descending"),
      (.reversed, nil, "reversed"), (.shuffled(seed: 1), nil, "shuffled"),
    ]
    let entries = try #require(world.album("A1")).entries
    for (sorting, ascending, words) in songs {
      let told = try told(.sortSongs(entries, sorting, ascending: ascending))
      #expect(
        [words, "\(words) already"].contains(
          told.replacing("nothing to do: ", with: "").replacing("A1 is ", with: "")), "\(told)")
    }
  }

  @Test("what was in the crate already, and stays, is not told")
  func stayed() throws {
    let told = try told(.moveAlbums(ids(["J1", "A4", "J2"]), nil, crate: "Jazz"))
    #expect(told == "A4 is on top of Jazz (1 of 3)")
  }

  @Test("what is sorted is told by its crates, or by up to four albums, or by their number")
  func sorted() throws {
    func told(_ numbers: ClosedRange<Int>, _ others: String...) throws -> String {
      try self.told(.sortAlbums(ids(numbers.map { "A\($0)" } + others), .reversed))
    }
    #expect(try told(1...4) == "A4, A3, A2 and A1 are reversed")
    #expect(try told(1...5) == "5 albums of Music are reversed")
    #expect(try told(1...8) == "8 albums of Music are reversed")
    #expect(try told(1...9) == "Music is reversed")
    #expect(try told(1...9, "J1", "J2") == "Music and Jazz are reversed")
    #expect(try told(1...4, "J1") == "5 albums are reversed")
    #expect(try told(1...2, "J1", "J2") == "A2, A1, J2 and J1 are reversed")
  }

  @Test("songs that are sorted are told by their albums, or by their number")
  func sortedSongs() throws {
    func told(_ titles: String...) throws -> String {
      try self.told(.sortSongs(songs(titles), .reversed))
    }
    #expect(try told("A1 1", "A1 3") == "2 songs of A1 are reversed")
    #expect(
      try told("A1 1", "A1 3", "A2 1") == "2 songs of A1 and 1 song of A2 are reversed")
    #expect(
      try told("A1 1", "A1 2", "A1 3", "J1 1", "J1 2", "J1 3") == "A1 and J1 are reversed")
    #expect(try told("A1 1") == "nothing to do: A1 1 of A1 is reversed already")
  }

  @Test("what stands beside something is told so, but at the ends of a list")
  func beside() throws {
    let a2 = try ids(["A2"])
    #expect(
      try told(.moveAlbums(a2, .before(world.id("A7")), crate: nil))
        == "A2 is before A7 in Music (6 of 9)")
    #expect(
      try told(.moveAlbums(ids(["A2", "A4"]), .after(world.id("A7")), crate: nil))
        == "A2 and A4 are after A7 in Music (6–7 of 9)")
    #expect(
      try told(.moveAlbums(a2, .before(world.id("A1")), crate: nil))
        == "A2 is on top of Music (1 of 9)")
    #expect(
      try told(.moveAlbums(a2, .after(world.id("A9")), crate: nil))
        == "A2 is at the bottom of Music (9 of 9)")
    #expect(
      try told(.moveSongs(songs(["A1 1"]), .after(world.song("A1 2").id)))
        == "A1 1 is after A1 2 in A1 (2 of 3)")
    #expect(
      try told(.moveSongs(songs(["A1 3"]), .before(world.song("A1 2").id)))
        == "A1 3 is before A1 2 in A1 (2 of 3)")
    #expect(try told(.moveSongs(songs(["A1 3"]), .up)) == "A1 3 is at 2 of 3 in A1")
    #expect(
      try told(.moveSongs(songs(["A1 3", "A1 2"]), .top))
        == "A1 2 and A1 3 are on top of A1 (1–2 of 3)")
  }

  @Test("a crate is told by the one beside it, but at the ends")
  mutating func crates() throws {
    try world.edit(.moveAlbums(ids(["A8"]), nil, crate: "Late"))
    #expect(world.library.crates.map(\.name) == ["Music", "Jazz", "Late"])
    #expect(try told(.moveCrate("Music", .after("jazz"))) == "Music is after jazz")
    #expect(try told(.moveCrate("Late", .before("Jazz"))) == "Late is before Jazz")
    #expect(
      try told(.moveCrate("Late", .before("Music"))) == "Late is on top of the crates (1 of 3)")
    #expect(
      try told(.moveCrate("Music", .after("Late")))
        == "Music is at the bottom of the crates (3 of 3)")
    #expect(try told(.moveCrate("Music", .down)) == "Music is at 2 of 3 among the crates")
    #expect(
      try told(.renameCrate("music", to: "Rest")) == "Music is now called Rest")
    // One of which nothing is there is among none.
    _ = world.remove("A8")
    world.merge()
    #expect(
      try told(.moveCrate("Music", .after("Jazz")))
        == "Music is at the bottom of the crates (2 of 2)")
  }

  @Test("what is moved and gone is said to be, for it has no position")
  mutating func gone() throws {
    let albums = try ids(["A1", "A2", "A3"])
    let songs = try songs(["A4 1", "A4 2"])
    for gone in ["A2", "A3", "A4/1 A4 1.flac"] { _ = world.remove(gone) }
    world.merge()
    func told(_ place: Place<AlbumID>, _ numbers: Int...) throws -> String {
      try self.told(.moveAlbums(numbers.map { albums[$0 - 1] }, place, crate: nil))
    }
    #expect(try told(.top, 2) == "A2 is in Music (gone; its place is kept)")
    #expect(try told(.top, 2, 3) == "A2 and A3 are in Music (gone; their places are kept)")
    #expect(
      try told(.bottom, 1, 2) == "A1 and A2 are at the bottom of Music (7 of 7), 1 of them gone")
    #expect(
      try self.told(.moveAlbums([albums[1]], nil, crate: "Jazz"))
        == "A2 is in Jazz (gone; its place is kept)")
    #expect(
      try self.told(.moveSongs([songs[0]], .bottom)) == "A4 1 is in A4 (gone; its place is kept)")
    #expect(
      try self.told(.moveSongs(songs, .bottom))
        == "A4 1 and A4 2 are at the bottom of A4 (2 of 2), 1 of them gone")
  }

  @Test("what is forgotten is told by albums, and by songs of those that stay")
  mutating func forgotten() throws {
    _ = world.remove("A3")
    _ = world.remove("A4/1 A4 1.flac")
    _ = world.remove("A5/1 A5 1.flac")
    _ = world.remove("A5/2 A5 2.flac")
    let gone = world.library.songs.values.filter { $0.title == "A4 1" }.map(\.id)
    world.merge()
    #expect(
      try told(.forget(songs: [], albums: [], all: true))
        == "A3, 1 song of A4 and 2 songs of A5 are forgotten")
    #expect(
      try told(.forget(songs: gone, albums: [], all: false)) == "A4 1 of A4 is forgotten")
    #expect(
      try told(.forget(songs: [], albums: ids(["A1"]), all: false))
        == "nothing to do: nothing that was named is gone")
    // Taken back, and done again.
    var history = UndoHistory()
    for (edit, undo, redo) in [
      (
        Edit.forget(songs: gone, albums: [], all: false), "A4 1 of A4 has its place again",
        "A4 1 of A4 is forgotten"
      ),
      (
        .forget(songs: [], albums: try ids(["A5"]), all: false),
        "2 songs of A5 have their places again", "2 songs of A5 are forgotten"
      ),
    ] {
      let decision = try world.library.decide(edit, newAlbums: nil)
      history.follow(decision.transaction.at(1))
      let undone = try #require(decision.library.decideUndo(history, newAlbums: nil))
      #expect(undone.transaction.sentence == "Taken back: \(undo)")
      history.follow(undone.transaction.at(2))
      let redone = try #require(undone.library.decideRedo(history, newAlbums: nil))
      #expect(redone.transaction.sentence == "Done again: \(redo)")
    }
  }

  @Test("of albums that go back inside their crate up to four are named")
  func undone() throws {
    for (count, told) in [
      (4, "A5, A6, A7 and A8 are in Music again, at 5–8"),
      (5, "Music is in its former order again"),
    ] {
      var history = UndoHistory()
      let albums = try ids((5..<5 + count).map { "A\($0)" })
      let moved = try world.library.decide(.moveAlbums(albums, .top, crate: nil), newAlbums: nil)
      history.follow(moved.transaction.at(1))
      let undone = try #require(moved.library.decideUndo(history, newAlbums: nil))
      #expect(undone.transaction.sentence == "Taken back: \(told)")
    }
  }
}
