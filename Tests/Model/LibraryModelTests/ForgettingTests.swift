import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

@Suite("Forgetting", .limited)
struct ForgettingTests {
  private func world() -> World {
    var world = World()
    for number in 1...3 {
      world.putAlbum("A\(number)", sound: number * 10, in: nil)
      world.merge()
    }
    return world
  }

  private func refusal(_ world: World, _ edit: Edit) -> Refusal? {
    do {
      _ = try world.library.decide(edit, newAlbums: nil)
      return nil
    } catch { return error }
  }

  @Test("named songs go, and an album that becomes empty goes with its crate")
  func songs() throws {
    var world = world()
    try world.edit(.moveAlbums([world.id("A1")], nil, crate: "Jazz"))
    let album = try #require(world.album("A1"))
    _ = world.remove("A1")
    world.merge()
    #expect(
      try world.edit(.forget(songs: [album.entries[1]], albums: [], all: false)).transaction
        .sentence
        == "A1 2 of A1 is forgotten")
    #expect(world.library.albums[album.id]?.entries == [album.entries[0], album.entries[2]])
    let rest = [album.entries[2], album.entries[0]]
    let kept = rest.compactMap { world.library.songs[$0] }
    let jazz = world.library.crate(named: "Jazz")?.id
    let decision = try world.edit(.forget(songs: rest, albums: [], all: false))
    #expect(decision.transaction.sentence == "A1 is forgotten, and Jazz, left empty, is gone")
    func was(_ song: Song) -> SongRecord {
      SongRecord(
        album: album.id, after: nil, group: album.group, path: song.path, digest: song.digest,
        added: song.added, seen: song.seen, isGone: true, isTouched: true, traits: song.lasting)
    }
    #expect(
      decision.changes == [
        .songForgotten(album.entries[0], was: was(kept[1])),
        .songForgotten(album.entries[2], was: was(kept[0])),
        .albumRemoved(
          album.id,
          was: AlbumRecord(
            crate: "Jazz", after: nil, group: album.group, seen: album.seen, isTouched: true)),
        .crateRemoved("Jazz", wasAfter: "Music", id: jazz),
      ])
    world.check()
  }

  @Test("an album that was forgotten, and whose files return, was never moved")
  func moved() throws {
    var world = world()
    let id = try world.id("A1")
    try world.edit(.moveAlbums([id], .top, crate: nil))
    #expect(world.library.isTouched(id))
    let files = world.remove("A1")
    world.merge()
    try world.edit(.forget(songs: [], albums: [], all: true))
    #expect(!world.library.isTouched(id))
    world.check()
    world.restore(files)
    world.merge()
    #expect(try world.id("A1") == id && !world.library.isTouched(id))
  }

  @Test("the crate of new albums stays when it is empty")
  func crateOfNewAlbums() throws {
    var world = World()
    world.newAlbums = "New"
    world.putAlbum("A", sound: 10, in: nil)
    world.merge()
    _ = world.remove("A")
    world.merge()
    try world.edit(.forget(songs: [], albums: [], all: true))
    #expect(world.library.crates.map(\.name) == ["New"])
    #expect(world.library.albums.isEmpty && world.library.songs.isEmpty)
    world.check()
  }

  @Test("of named albums, and of all, only what is gone goes")
  func gone() throws {
    var world = world()
    _ = world.remove("A1/1 A1 1.flac")
    _ = world.remove("A2/2 A2 2.flac")
    world.merge()
    let albums = try [world.id("A1"), world.id("A3")]
    #expect(try world.edit(.forget(songs: [], albums: albums, all: false)).changes.count == 1)
    #expect(try #require(world.album("A1")).entries.count == 2)
    #expect(try #require(world.album("A2")).entries.count == 3)
    #expect(try world.edit(.forget(songs: [], albums: albums, all: true)).changes.count == 1)
    let nothing = try world.edit(.forget(songs: [], albums: [], all: true))
    #expect(nothing.changes.isEmpty)
    #expect(world.library.songs.count == 7)
    world.check()
  }

  @Test("what is there is refused, and so are nothing and what nobody knows")
  func refusals() throws {
    var world = world()
    let (there, gone) = try (world.song("A1 1").id, world.song("A1 2").id)
    _ = world.remove("A1/2 A1 2.flac")
    world.merge()
    #expect(
      refusal(world, .forget(songs: [gone, there], albums: [], all: false)) == .stillThere(there))
    #expect(
      refusal(world, .forget(songs: [], albums: [], all: false)) == .nothingChosen("songs"))
    let (song, album) = (SongID(number: 1), AlbumID(number: 1))
    #expect(refusal(world, .forget(songs: [song], albums: [], all: false)) == .noSuchSong(song))
    #expect(refusal(world, .forget(songs: [], albums: [album], all: true)) == .noSuchAlbum(album))
  }

  @Test("what is offline is forgotten only when it is named")
  func offline() throws {
    var world = world()
    let (a1, a2) = try (world.id("A1"), world.id("A2"))
    world.library.away.places = [World.path("A1"), World.path("A2/1 A2 1.flac")]
    #expect(try world.edit(.forget(songs: [], albums: [], all: true)).changes.isEmpty)
    // The rest of A2 is there: its name stands for what is gone of it.
    #expect(try world.edit(.forget(songs: [], albums: [a2], all: false)).changes.isEmpty)
    #expect(try world.edit(.forget(songs: [], albums: [a1], all: false)).changes.count == 4)
    #expect(world.library.albums[a1] == nil)
    let song = try world.song("A2 1").id
    try world.edit(.forget(songs: [song], albums: [], all: false))
    #expect(world.library.songs.count == 5)
    // The files of forgotten songs are nobody's: what appears there is new.
    #expect(world.lookups.paths(in: world.library).count == 5)
    world.library.away.places = []
    world.known = world.files.filter { world.lookups.paths(in: world.library).contains($0.key) }
    world.merge()
    #expect(world.albums() == ["A1", "A3", "A2"])
    world.check()
  }

  @Test("slots go with the songs they are kept for, and with a meant album that has no songs")
  func slots() throws {
    var world = world()
    // One by one, so that A1 is not retitled.
    for (track, title) in [(1, "A2"), (2, "A3"), (3, "A3")] {
      world.retag("A1/\(track) A1 \(track).flac") {
        $0.album = title
        $0.track = 3 + track
      }
    }
    let a1 = try world.id("A1")
    // All of them are touched, so that A1 stays without songs and none goes on as it.
    try world.edit(.moveAlbums([world.id("A2"), world.id("A3")], .bottom, crate: nil))
    try world.edit(.moveAlbums([a1], .bottom, crate: nil))
    world.merge()
    #expect(world.library.albums[a1]?.entries.count == 3)
    var other = world
    #expect(try other.edit(.forget(songs: [], albums: [a1], all: false)).changes.count == 4)
    #expect(other.library.albums[a1] == nil)
    other.check()

    let moved = try world.song("A1 1").id
    _ = world.remove("A1/1 A1 1.flac")
    world.merge()
    try world.edit(.forget(songs: [moved], albums: [], all: false))
    #expect(world.library.albums[a1]?.entries.count == 2)
    world.check()
    try world.edit(.forget(songs: [], albums: [], all: true))
    #expect(world.library.albums[a1] == nil)
    world.check()
  }

  @Test("an album that nobody touched goes with the last place of its own, as after a merge")
  func lastPlace() throws {
    var world = world()
    let (a1, a2) = try (world.id("A1"), world.id("A2"))
    world.retag("A1/1 A1 1.flac") { ($0.album, $0.track) = ("A2", 4) }
    _ = world.remove("A1/2 A1 2.flac")
    _ = world.remove("A1/3 A1 3.flac")
    world.merge()
    #expect(world.library.albums[a1]?.entries.count == 3)
    try world.edit(.forget(songs: [], albums: [], folder: World.path("A1"), all: false))
    #expect(world.library.albums[a1] == nil)
    #expect(world.library.albums[a2]?.entries.count == 4)
    world.check()
    #expect(world.merge().decision.changes.isEmpty)
  }

  @Test("former ids of a forgotten album name nothing any longer")
  func aliases() throws {
    var world = world()
    for track in 1...3 { world.retag("A1/\(track) A1 \(track).flac") { $0.album = "New" } }
    world.merge()
    let album = try #require(world.album("New"))
    #expect(!album.aliases.isEmpty)
    _ = world.remove("A1")
    world.merge()
    try world.edit(.forget(songs: [], albums: [album.aliases[0]], all: false))
    #expect(world.library.aliases.isEmpty)
    world.check()
  }

  @Test("an album whose only song out of order is forgotten follows its tags again")
  func arranged() throws {
    var world = world()
    try world.edit(.moveSongs([world.song("A1 3").id], .top))
    _ = world.remove("A1/3 A1 3.flac")
    world.merge()
    #expect(world.album("A1")?.isArranged == true)
    try world.edit(.forget(songs: [], albums: [], all: true))
    #expect(world.album("A1")?.isArranged == false)
    world.check()
  }

  @Test("forgetting touches no album that has its order from another")
  func inherited() throws {
    var world = world()
    try world.edit(.moveSongs([world.song("A1 3").id], .top))
    for track in [2, 3] { world.retag("A1/\(track) A1 \(track).flac") { $0.album = "New" } }
    world.merge()
    let album = try #require(world.album("New"))
    #expect(album.isArranged && !world.library.isTouched(album.id))
    _ = world.remove("A1/3 A1 3.flac")
    world.merge()
    try world.edit(.forget(songs: [], albums: [], all: true))
    #expect(!world.library.isTouched(album.id))
    world.check()
  }

  @Test("what comes back after it was forgotten is new")
  func comesBack() throws {
    var world = world()
    let taken = world.remove("A1")
    world.merge()
    try world.edit(.forget(songs: [], albums: [], all: true))
    world.restore(taken)
    world.merge()
    #expect(world.albums() == ["A1", "A3", "A2"])
    world.check()
  }

  /// A world where the whole of A1, a song of A2 and its album's neighbour are gone, forgotten and
  /// taken back.
  private func takenBack(
    _ world: inout World, _ edit: Edit
  ) throws -> (before: [String], after: [String], history: UndoHistory) {
    let before = world.shape
    let decision = try world.edit(edit)
    var history = UndoHistory()
    history.follow(decision.transaction.at(1))
    undo(&world, &history)
    return (before, world.shape, history)
  }

  private func undo(_ world: inout World, _ history: inout UndoHistory, redo: Bool = false) {
    let decision =
      redo
      ? world.library.decideRedo(history, newAlbums: nil)
      : world.library.decideUndo(history, newAlbums: nil)
    guard let decision else {
      Issue.record("nothing to take back")
      return
    }
    let old = world.library
    world.library = decision.library
    world.lookups.follow(decision.changes, from: old, to: world.library)
    history.follow(decision.transaction.at(2))
  }

  @Test("undo puts forgotten places back, and a file that returns finds its own")
  func undone() throws {
    var world = world()
    for track in 1...3 { world.retag("A3/\(track) A3 \(track).flac") { $0.album = "Three" } }
    world.merge()
    try world.edit(.moveAlbums([world.id("A1")], nil, crate: "Jazz"))
    try world.edit(.moveSongs([world.song("A2 3").id], .top))
    let (a1, a2) = (world.remove("A1"), world.remove("A2/3 A2 3.flac"))
    let a3 = world.remove("A3")
    world.merge()
    var (before, after, history) = try takenBack(
      &world, .forget(songs: [], albums: [], all: true))
    #expect(before == after)
    world.check()
    undo(&world, &history, redo: true)
    #expect(world.library.songs.count == 2)
    #expect(world.library.crates.map(\.name) == ["Music"])
    world.check()
    undo(&world, &history)
    #expect(world.shape == before)
    for taken in [a1, a2, a3] { world.restore(taken) }
    world.merge()
    #expect(world.albums() == ["Three", "A2"])
    #expect(world.albums(in: "Jazz") == ["A1"])
    #expect(world.songs(of: "A2") == ["A2 3", "A2 1", "A2 2"])
    world.check()
  }

  @Test("what came back by itself before the undo goes to the forgotten place")
  func undoneLate() throws {
    var world = world()
    try world.edit(.moveAlbums([world.id("A1")], nil, crate: "Jazz"))
    let taken = world.remove("A1")
    world.merge()
    let before = world.shape
    let decision = try world.edit(.forget(songs: [], albums: [], all: true))
    var history = UndoHistory()
    history.follow(decision.transaction.at(1))
    world.restore(taken)
    world.merge()
    #expect(world.albums() == ["A1", "A3", "A2"])
    undo(&world, &history)
    #expect(world.shape == before.map { $0.replacingGone })
    world.check()
    // Done again, it drops nothing that is there.
    undo(&world, &history, redo: true)
    #expect(world.albums() == ["A1", "A3", "A2"])
    world.check()
  }

  @Test("slots that songs keep elsewhere are forgotten and put back with them")
  func undoneSlots() throws {
    var world = world()
    world.retag("A1/1 A1 1.flac") { $0.album = "A2" }
    world.merge()
    _ = world.remove("A1/1 A1 1.flac")
    world.merge()
    let (before, after, _) = try takenBack(&world, .forget(songs: [], albums: [], all: true))
    #expect(before == after)
    #expect(before.contains { $0.contains("slot") })
    world.check()
  }

  @Test("an offline album that was forgotten is offline again after the undo")
  func undoneOffline() throws {
    var world = world()
    let a1 = try world.id("A1")
    world.library.away.places = [World.path("A1")]
    let (before, after, _) = try takenBack(&world, .forget(songs: [], albums: [a1], all: false))
    #expect(before == after)
    world.library.away.places = []
    world.merge()
    #expect(world.shape == before)
    world.check()
  }
}

extension String {
  fileprivate var replacingGone: String {
    hasPrefix("    gone") ? "    song" + dropFirst(8) : self
  }
}
