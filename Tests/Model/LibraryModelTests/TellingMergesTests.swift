import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

@Suite("How looks at a folder are told", .limited)
struct TellingMergesTests {
  @Test("what happened to a folder is told in a sentence")
  func stories() throws {
    let path = Repository.folder() + "/Scenarios/Texts/sentences.txt"
    let text = try String(decoding: read(path), as: UTF8.self)
    var stage = Stage(RealKeeper())
    var count = 0
    for line in text.split(separator: "\n").map(String.init) where !line.hasPrefix("#") {
      if line.hasPrefix("story ") {
        stage = Stage(RealKeeper())
      } else if line.hasPrefix("  ") {
        try stage.look()
        #expect(stage.keeper.sentence == line.dropFirst(2))
        count += 1
      } else {
        for step in try Scenario.steps(of: line.split(separator: " ").map(String.init)) {
          try stage.take(step)
        }
      }
    }
    #expect(count > 35)
  }

  // MARK: Songs that say something else

  private static let path = "A1/1 A1 1.flac"

  /// A1 of three songs.
  private func world() -> World {
    var world = World()
    world.putAlbum("A1", sound: 10, in: nil)
    for path in world.files.keys {
      world.files[path]?.tags.date = "1971-12-17"
      world.files[path]?.tags.genre = "Pop"
    }
    world.merge()
    return world
  }

  @Test("another title, artist, year, genre or number is told, and moves nothing")
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
      var world = world()
      let before = world.shape
      world.retag(Self.path, change)
      let look = world.look()
      let told = world.merge().decision.transaction
      let song = try #require(world.lookups.song(at: World.path(Self.path), in: world.library))
      #expect(told.sentence == "\(song.title) of A1 was retagged", "\(name)")
      #expect(world.shape == before && world.library.touches.isEmpty, "\(name)")
      #expect(world.merge(look).decision.changes.isEmpty, "\(name)")
      world.check()
      var history = UndoHistory()
      history.follow(told)
      #expect(history.undoable.isEmpty)
    }
  }

  @Test("a file that was written again, but says the same of what is shown, is no change")
  func unseen() throws {
    let cases: [(name: String, change: (inout World.File) -> Void)] = [
      ("file", { $0.inode += 1_000 }), ("cover", { $0.cover = 7 }),
      ("total", { $0.tags.trackTotal = 12 }), ("sort name", { $0.tags.titleSort = "Changes" }),
      ("day", { $0.tags.date = "1971" }), ("first day", { $0.tags.originalDate = "1971-01-01" }),
    ]
    for (name, change) in cases {
      var world = world()
      var file = try #require(world.files[World.path(Self.path)])
      change(&file)
      world.files[World.path(Self.path)] = file
      #expect(world.merge().decision.changes.isEmpty, "\(name)")
      let song = world.lookups.song(at: World.path(Self.path), in: world.library)
      #expect(song?.facts == World.facts(file), "\(name)")
    }
  }

  @Test("new songs were not retagged, nor those of which nothing was known any more")
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

  // MARK: Changes by themselves

  private func told(_ changes: Change...) throws -> String {
    let small = try SmallLibrary()
    let telling = Telling(
      changes: changes, before: small.library, after: small.library, isDryRun: false)
    return telling.sentence(of: .merge)
  }

  @Test("an album was retagged where its tags say so, not where its folder is called otherwise")
  func groups() throws {
    for (former, now, isRetagged) in [
      ("by\tx\ty", "by\tx\tz", true), ("by\tx\ty", "by\tw\ty", true),
      ("in\tA\ty", "in\tB/C\ty", false), ("in\tA\ty", "in\tA\tz", true),
      ("in\tA\t", "in\tB\t", false), ("in\tA\ty", "by\tx\ty", true),
      ("folder\tA", "folder\tB", false), ("folder\tA", "in\tA\ty", true),
      ("folder\tA", "by\tx\ty", true),
    ] {
      let sentence = try told(
        .albumRegrouped(
          AlbumID(number: 1), group: GroupKey(family: now), was: GroupKey(family: former),
          alias: nil))
      #expect(
        sentence == (isRetagged ? "1 was retagged" : "What is known of the files is up to date"),
        "\(former) to \(now)")
    }
    let (one, edition) = (GroupKey(family: "by\tx\ty"), GroupKey(family: "by\tx\ty", edition: "r"))
    let other = Change.albumRegrouped(AlbumID(number: 1), group: edition, was: one, alias: nil)
    #expect(try told(other) == "1 was retagged")
    let (id, second) = (AlbumID(number: 1), AlbumID(number: 2))
    #expect(try told(.albumTookOver(id, other: second), other) == "1 was retagged")
  }

  @Test("order counts for less than what became of files")
  func followed() throws {
    func followed(_ number: UInt64, _ path: String) -> Change {
      .songFollowed(SongID(number: number), path: BytePath(path), digest: nil, by: .path)
    }
    #expect(
      try told(followed(10, "/m/1/10.flac"), followed(20, "/n"), followed(21, "/o"))
        == "2 songs of 2 were found elsewhere, and 10 of 1 was replaced")
    let moved = Change.albumMoved(
      AlbumID(number: 3), crate: "Jazz", after: nil, wasCrate: "Jazz", wasAfter: nil)
    let reordered = Change.songMoved(
      SongID(number: 20), in: AlbumID(number: 2), after: nil, wasAfter: nil)
    #expect(try told(moved, reordered) == "2 is now in the order of the track numbers")
    #expect(try told(moved, followed(10, "/n")) == "10 of 1 was found elsewhere")
    #expect(try told(moved) == "3 was put in the order of their arrival")
  }

  @Test("long names are cut, and a sentence has a bound")
  func bounds() throws {
    var world = World()
    for number in 1...6 {
      world.putAlbum(
        "\(number)" + String(repeating: "東", count: 300), sound: number * 10, in: "\(number)")
    }
    let sentence = world.merge().decision.transaction.sentence
    #expect(sentence.utf8.count <= Telling.longest)
    #expect(sentence.hasPrefix("1東"))
  }
}
