import CratesInterface
import TestSupport
import Testing

@testable import crate

/// The real `crate show`, whose facts are those of a small library.
@Suite("All that is known of one thing", .limited)
struct ShownFactsTests {
  private func shown(_ library: FakeLibrary, _ words: String...) throws -> [String] {
    let fixture = try CommandFixture(library)
    let outcome = try CommandFixture.run(["show"] + words + ["--socket", fixture.socket])
    #expect(outcome.status == 0 && outcome.errors == "")
    return outcome.lines
  }

  /// A library without a past, whose first album has songs of these genres, formats and paths.
  private func library(_ songs: [(genre: String?, format: String, path: String)]) -> FakeLibrary {
    var library = FakeLibrary(crate: "Jazz", albums: [("kind2222aaaa", "Kind of Blue")])
    library.history = []
    let song = library.songs[0]
    library.songs = songs.enumerated().map { number, facts in
      var song = song
      (song.id, song.details.genre) = ("skind2222as\(number)", facts.genre)
      (song.format, song.path) = (facts.format, facts.path)
      return song
    }
    return library
  }

  private func song(_ change: (inout Interface.Song) -> Void) throws -> [String] {
    var library = library([(nil, "flac", "/music/a.flac")])
    change(&library.songs[0])
    return try shown(library, "id:skind2222as0")
  }

  @Test("Of a song all is told that is in its tags, and nothing of what isn't")
  func songs() throws {
    #expect(
      try song { song in
        (song.disc, song.track, song.position) = (2, 7, 9)
        song.details.year = 1959
        (song.details.genre, song.details.composer) = ("Modal", "Bill\u{1B}")
        (song.details.bitRate, song.details.sampleRate) = (1_912, 44_100)
        (song.details.recording, song.details.release) = ("r", "s")
        song.details.evidence = "it was recognised by its sound"
      } == [
        "song       Song 1", "artist     Someone", "album      Kind of Blue",
        "album by   Someone", "crate      Jazz", "position   9", "disc       2", "track      7",
        "year       1959", "genre      Modal", "composer   Bill␛", "length     1:02",
        "format     flac, 44.1 kHz, 1,912 kbit/s", "state      available", "known by   its sound",
        "added      2026-01-02 03:04:05", "file       /music/a.flac", "recording  r",
        "release    s", "album id   kind2222aaaa", "id         skind2222as0",
      ])
    #expect(
      try song { song in
        (song.track, song.position, song.seconds, song.artist) = (nil, nil, 0, "")
        (song.presence, song.details.evidence) = (.offline, "somebody said so")
      } == [
        "song       Song 1", "album      Kind of Blue", "album by   Someone", "crate      Jazz",
        "format     flac", "state      offline: its music folder or drive is not there",
        "known by   somebody said so", "added      2026-01-02 03:04:05",
        "file       /music/a.flac", "album id   kind2222aaaa", "id         skind2222as0",
      ])
  }

  @Test("A sample rate is told in kilohertz, with a tenth where that is not whole")
  func rates() throws {
    for (rate, text) in [
      (48_000, "48"), (44_100, "44.1"), (8_000, "8"), (11_025, "11"), (22_050, "22.1"),
      (22_049, "22"), (22_149, "22.1"), (49, "0"), (50, "0.1"), (950, "1"), (949, "0.9"),
    ] {
      let lines = try song { $0.details.sampleRate = rate }
      #expect(lines.contains("format     flac, \(text) kHz"), "\(rate): \(lines)")
    }
  }

  @Test("Of an album three genres, formats and folders are named, and how many more there are")
  func albums() throws {
    let many = library(
      [
        ("A", "flac", "/m/1/a"), ("B", "flac", "/m/1/b"), ("A", "ogg", "/m/2/a"),
        ("C", "", "/a"), (nil, "mp3", "/m/3/c"), ("D", "opus", "a"), ("E", "flac", "/m/4/d"),
      ])
    var lines = try shown(many, "album:Kind of Blue")
    #expect(
      lines == [
        "album      Kind of Blue", "artist     Someone", "year       1959", "crate      Jazz",
        "position   1", "songs      3", "length     3:05", "genre      A, B, C and 2 more",
        "format     flac, ogg, mp3 and 1 more", "cover      none",
        "folder     /m/1, /m/2, / and 2 more", "order      by disc and track",
        "place      where it arrived", "state      available", "added      2026-01-02 03:04:05",
        "id         kind2222aaaa",
      ])
    var few = library([("A", "flac", "/m/a"), ("B", "flac", "/m/b"), ("C", "ogg", "/n/c")])
    few.albums[0].arranged = true
    (few.albums[0].moved, few.albums[0].cover, few.albums[0].because) = (true, "c", "why")
    few.albums[0].presence = .gone
    lines = try shown(few, "album:Kind of Blue")
    #expect(
      lines[7...].dropLast(2) == [
        "genre      A, B, C", "format     flac, ogg", "cover      crate art shows it",
        "folder     /m, /n", "one album  why", "order      yours", "place      where you put it",
        "state      gone: its file is not there any more; its place is kept",
      ])
  }

  @Test("Changes are told below one heading, and several things with a line between them")
  func past() throws {
    var library = library([(nil, "flac", "/m/a")])
    func change(_ sequence: Int, _ summary: String) -> Interface.Change {
      var change = Interface.Change(
        changed: true, sequence: sequence, time: "2026-01-02T03:04:05Z", author: .person,
        summary: summary)
      change.origin = sequence == 5 ? "a\u{1B}" : nil
      return change
    }
    var (crate, song, album, ours) = (
      change(6, "c"), change(5, "s"), change(4, "a"), change(3, "o")
    )
    (crate.crates, song.songs, album.albums) = (["Jazz"], ["skind2222as0"], ["kind2222aaaa"])
    (ours.crates, ours.songs, ours.albums) = (["Rock"], ["other"], ["other"])
    library.history = [crate, song, album, ours]
    let when = "2026-01-02 03:04:05"
    #expect(try shown(library, "crate:Jazz").last == "history    \(when)  you  c")
    #expect(
      try shown(library, "id:skind2222as0").last == "history    \(when)  by a␛  s")
    #expect(
      try shown(library, "album:Kind of Blue").suffix(2) == [
        "history    \(when)  by a␛  s", "           \(when)  you  a",
      ])
    let fixture = try CommandFixture(library)
    let both = try fixture.run("show", "crate:Jazz", "id:skind2222as0").output
    #expect(both.contains("you  c\n\nsong       Song 1\n") && !both.hasPrefix("\n"))
    let objects = try fixture.run("show", "crate:Jazz", "--json").lines
    #expect(objects == [library.crates[0].json.text, crate.json.text])
  }
}
