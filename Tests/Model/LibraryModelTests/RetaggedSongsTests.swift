import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

@Suite("Songs that say something else than before", .limited)
struct RetaggedSongsTests {
  private static let path = "A1/1 A1 1.flac"

  /// A1 to A3 of three songs each; A2 is arranged.
  private func world() throws -> World {
    var world = World()
    for number in 1...3 {
      world.putAlbum("A\(number)", sound: number * 10, in: nil)
      for track in 1...3 {
        world.retag("A\(number)/\(track) A\(number) \(track).flac") {
          ($0.date, $0.genre) = ("1971-12-17", "Pop")
        }
      }
    }
    world.merge()
    try world.edit(.moveSongs([world.song("A2 3").id], .top))
    return world
  }

  /// What a merge comes to, which changes nothing when it is made again.
  private func merged(_ world: inout World) -> Transaction {
    let look = world.look()
    let transaction = world.merge().decision.transaction
    #expect(world.merge(look).decision.changes.isEmpty)
    world.check()
    return transaction
  }

  @Test("Another title, artist, year, genre or number is told, and moves nothing")
  func shown() throws {
    let cases: [(name: String, change: (inout SongTags) -> Void)] = [
      ("title", { $0.title = "Changes" }), ("artist", { $0.artist = "David Bowie" }),
      ("album artist", { $0.albumArtist = "ARTIST" }), ("album", { $0.album = "a1" }),
      ("year", { $0.date = "1999" }), ("no year", { $0.date = "" }),
      ("genre", { $0.genre = "Rock" }), ("no genre", { $0.genre = "" }),
      ("composer", { $0.composer = "Bowie" }), ("disc", { $0.disc = 1 }),
      ("track", { $0.track = 0 }),
    ]
    for (name, change) in cases {
      var world = try world()
      let (before, touched) = (world.shape, world.touched)
      world.retag(Self.path, change)
      let told = merged(&world)
      let title = try world.song(at: Self.path).title
      #expect(told.sentence == "\(title) of A1 was retagged", "\(name)")
      #expect(world.shape == before && world.touched == touched, "\(name)")
      var history = UndoHistory()
      history.follow(told)
      #expect(history.undoable.isEmpty)
    }
  }

  @Test("Songs are told by their albums, as all else that happens to songs")
  func several() throws {
    var world = try world()
    for track in 1...3 { world.retag("A1/\(track) A1 \(track).flac") { $0.date = "1999" } }
    #expect(merged(&world).sentence == "3 songs of A1 were retagged")
    for album in ["A1", "A2"] { world.retag("\(album)/2 \(album) 2.flac") { $0.genre = "Rock" } }
    #expect(merged(&world).sentence == "1 song of A1 and 1 song of A2 were retagged")
    world.retag("A1/1 A1 1.flac") { $0.track = 3 }
    world.retag("A1/3 A1 3.flac") { $0.track = 1 }
    world.retag("A2/2 A2 2.flac") { $0.track = 1 }
    #expect(
      merged(&world).sentence == "2 songs of A1 and 1 song of A2 were retagged, and A1 is now in"
        + " the order of the track numbers")
    #expect(world.songs(of: "A2") == ["A2 3", "A2 1", "A2 2"])
  }

  @Test("A file that was written again, but says the same of what is shown, is no change")
  func unseen() throws {
    let cases: [(name: String, change: (inout World.File) -> Void)] = [
      ("file", { $0.inode += 1_000 }), ("cover", { $0.cover = 7 }),
      ("total", { $0.tags.trackTotal = 12 }), ("sort name", { $0.tags.titleSort = "Changes" }),
      ("day", { $0.tags.date = "1971" }), ("first day", { $0.tags.originalDate = "1971-01-01" }),
    ]
    for (name, change) in cases {
      var world = try world()
      var file = try #require(world.files[World.path(Self.path)])
      change(&file)
      world.files[World.path(Self.path)] = file
      #expect(world.merge().decision.changes.isEmpty, "\(name)")
      #expect(try world.song(at: Self.path).facts == World.facts(file), "\(name)")
    }
  }

  @Test("New songs were not retagged, nor those of which nothing was known any more")
  func unknown() throws {
    var world = World()
    world.putAlbum("A1", sound: 10, in: nil)
    #expect(world.merge(firstScan: true).decision.transaction.sentence.hasPrefix("A1 by Artist is"))
    world.retag(Self.path) { $0.title = "Changes" }
    // The index was lost.
    world.library.attach(nil, to: try world.song("A1 1").id)
    world.lookups = Lookups(world.library, roots: [World.root])
    #expect(world.merge().decision.changes.isEmpty)
    #expect(try world.song("Changes").path == World.path(Self.path))
  }

  @Test("Who is told otherwise already is told once")
  func once() throws {
    var world = try world()
    world.move(Self.path, to: "A1/other.flac")
    world.retag("A1/other.flac") { $0.title = "Changes" }
    #expect(merged(&world).sentence == "Changes of A1 was found elsewhere")
    var file = try #require(world.files[World.path("A1/2 A1 2.flac")])
    (file.sound, file.tags.genre) = (999, "Rock")
    world.files[World.path("A1/2 A1 2.flac")] = file
    #expect(merged(&world).sentence == "A1 2 of A1 was replaced")
    for track in 1...3 {
      world.retag("A2/\(track) A2 \(track).flac") { ($0.album, $0.genre) = ("B", "Rock") }
    }
    #expect(merged(&world).sentence == "A2 is now called B")
    world.retag("A3/1 A3 1.flac") { ($0.album, $0.title) = ("C", "Kooks again") }
    #expect(merged(&world).sentence == "Kooks again of C was retagged")
    var taken = world.remove("A3/2 A3 2.flac")
    world.merge()
    for path in taken.keys { taken[path]?.tags.title = "Life" }
    world.restore(taken)
    #expect(merged(&world).sentence == "Life of A3 is back")
  }

  @Test("An undo goes on as if nothing had been retagged")
  func undone() throws {
    var world = try world()
    let before = world.shape
    let move = try world.edit(.moveAlbums([world.id("A3")], .top, crate: nil))
    world.retag(Self.path) { $0.genre = "Rock" }
    #expect(merged(&world).sentence == "A1 1 of A1 was retagged")
    var history = UndoHistory()
    history.follow(move.transaction.at(1))
    let undo = try #require(world.library.decideUndo(history, newAlbums: nil))
    world.library = undo.library
    #expect(world.shape == before)
  }
}

extension World {
  fileprivate var touched: [AlbumID] {
    library.albums.values.map(\.id).filter { library.isTouched($0) }.sorted()
  }

  fileprivate func song(at path: String) throws -> Song {
    try #require(lookups.song(at: World.path(path), in: library))
  }
}
