import Testing

@testable import LibraryModel

@Suite("Forgetting")
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
      try world.edit(.forget(songs: [album.entries[1]], albums: [], all: false)).summary
        == "forget 1 song")
    #expect(world.library.albums[album.id]?.entries == [album.entries[0], album.entries[2]])
    let rest = [album.entries[2], album.entries[0]]
    let decision = try world.edit(.forget(songs: rest, albums: [], all: false))
    #expect(decision.summary == "forget 2 songs and 1 album")
    #expect(
      decision.changes == [
        .songForgotten(album.entries[0]), .songForgotten(album.entries[2]),
        .albumRemoved(album.id, wasCrate: "Jazz", wasAfter: nil),
        .crateRemoved("Jazz", wasAfter: "Music"),
      ])
    world.check()
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
    // Their files are nobody's: what appears there is new.
    #expect(world.lookups.files.count == 5)
    world.library.away.places = []
    world.known = world.files.filter { world.lookups.files[$0.key] != nil }
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
    try world.edit(.moveAlbums([world.id("A2"), world.id("A3")], .bottom, crate: nil))
    world.merge()
    #expect(world.library.albums[a1]?.entries.count == 3)
    var other = world
    #expect(try other.edit(.forget(songs: [], albums: [a1], all: false)).changes.count == 1)
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
}
