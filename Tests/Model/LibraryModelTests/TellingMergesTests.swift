import TestSupport
import Testing

@testable import LibraryModel

@Suite("How looks at a folder are told", .limited)
struct TellingMergesTests {
  private var world: World

  init() throws { world = try TellingTests.world() }

  private mutating func told(_ change: (inout World) throws -> Void) rethrows -> String {
    try change(&world)
    return world.merge().decision.transaction.sentence
  }

  @Test(
    "albums that come back are told with where they stand",
    arguments: [
      (["A1"], "A1 is back, on top of Music"),
      (["A1", "A2"], "A1 and A2 are back, on top of Music"),
      (["A4"], "A4 is back, at 4 in Music"),
      (["A4", "A5"], "A4 and A5 are back, at 4–5 in Music"),
      (["A8", "A9"], "A8 and A9 are back, at the bottom of Music"),
      (["A4", "A6"], "A4 and A6 are back, in Music"),
      (["J2"], "J2 is back, at the bottom of Jazz"),
      (["A9", "J1"], "A9 and J1 are back, in Music and Jazz"),
    ])
  mutating func whereabouts(titles: [String], sentence: String) {
    var taken: [[BytePath: World.File]] = []
    let rest = titles.count == 1 ? "is gone; its place is kept" : "are gone; their places are kept"
    let gone = told { world in for title in titles { taken.append(world.remove(title)) } }
    #expect(gone == "\(titles.joined(separator: " and ")) \(rest)")
    #expect(told { world in taken.forEach { world.restore($0) } } == sentence)
  }

  @Test("songs that come and go are told by their albums, and whole albums before them")
  mutating func songs() {
    var taken: [BytePath: World.File] = [:]
    #expect(
      told { world in
        taken = world.remove("A1/1 A1 1.flac")
        taken.merge(world.remove("A1/2 A1 2.flac")) { first, _ in first }
      } == "2 songs of A1 are gone; their places are kept")
    #expect(told { $0.restore(taken) } == "2 songs of A1 are back")
    #expect(
      told { world in
        taken = world.remove("A2")
        taken.merge(world.remove("A3/1 A3 1.flac")) { first, _ in first }
      } == "A2 is gone; its place is kept, and A3 1 of A3 is gone; its place is kept")
    #expect(
      told { $0.restore(taken) }
        == "A2 is back, at 2 in Music, and A3 1 of A3 is back")
  }

  @Test("new songs of up to four albums are told by them, and of more only how many")
  mutating func newSongs() {
    func add(_ album: Int, _ tracks: ClosedRange<Int>, _ world: inout World) {
      for track in tracks {
        world.put(
          "A\(album)/\(track).flac", sound: 1_000 + album * 20 + track, title: "\(track)",
          album: "A\(album)", artist: "Artist", albumArtist: "Artist", track: track)
      }
    }
    #expect(
      told { world in for album in 1...4 { add(album, 4...4, &world) } }
        == "1 song of A1, 1 song of A2, 1 song of A3 and 1 song of A4 are new")
    #expect(
      told { world in for album in 1...6 { add(album, 5...(album == 5 ? 6 : 5), &world) } }
        == "1 song of A1, 1 song of A2, 1 song of A3, 1 song of A4 and 3 more are new")
  }

  @Test("an album that was retagged whole is told by its title, and a file that took its place")
  mutating func retagged() {
    #expect(
      told { world in
        for track in 1...3 { world.retag("A4/\(track) A4 \(track).flac") { $0.album = "B" } }
      } == "A4 is now called B")
    #expect(
      told { world in
        guard var file = world.files[World.path("A1/1 A1 1.flac")] else { return }
        file.sound = 999
        world.files[World.path("A1/1 A1 1.flac")] = file
      } == "A1 1 of A1 was replaced")
  }

  @Test("of four things that happened three are told, and of three all")
  mutating func many() {
    let sentence = told { world in
      world.putAlbum("New", sound: 500, in: nil)
      _ = world.remove("A1")
      world.retag("A4/1 A4 1.flac") { $0.album = "B" }
    }
    #expect(
      sentence == "New by Artist is new, on top of Music, and A1 is gone; its place is kept,"
        + " and A4 1 of B was retagged")
    #expect(
      told { world in
        world.putAlbum("Newer", sound: 600, in: nil)
        _ = world.remove("A2")
        world.retag("A5/1 A5 1.flac") { $0.album = "C" }
        world.move("A6", to: "Elsewhere")
      } == "Newer by Artist is new, on top of Music, and A2 is gone; its place is kept,"
        + " and A5 1 of C was retagged, and more")
  }

  private func told(_ changes: Change...) throws -> String {
    let small = try SmallLibrary()
    let telling = Telling(
      changes: changes, before: small.library, after: small.library, isTrial: false)
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

  @Test("a song is found elsewhere, or replaced where it was, and order counts for less")
  func followed() throws {
    func followed(_ number: UInt64, _ path: String) -> Change {
      .songFollowed(SongID(number: number), path: BytePath(path), digest: nil, by: .path)
    }
    #expect(try told(followed(10, "/m/1/10.flac")) == "10 of 1 was replaced")
    #expect(try told(followed(10, "/m/1/10.mp3")) == "10 of 1 was replaced")
    #expect(try told(followed(10, "/m/1/x.mp3")) == "10 of 1 was found elsewhere")
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

  @Test("new albums in several crates, and without an artist")
  mutating func newAlbums() {
    world.newAlbums = "Jazz"
    #expect(
      told { $0.put("Rips/1.flac", sound: 920, title: "Untagged") }
        == "Rips is new, on top of Jazz")
  }
}
