import TestSupport
import Testing

@testable import LibraryModel

@Suite("How far songs are looked up", .limited)
struct MatchingLimitsTests {
  private typealias Row = MatchingLibrary.Row

  private func match(_ wanted: Wanted, in music: MatchingLibrary) -> Match? {
    ListMatching(SongLookup(music.library)).matches(of: [wanted]).first
  }

  /// A library of so many songs that are alike, and the last of them, which is not.
  private func music(
    _ count: Int, _ alike: (Int) -> Row, last: Row
  ) throws -> (MatchingLibrary, SongID) {
    var music = try MatchingLibrary()
    let ids = try music.add((1..<count).map(alike) + [last])
    return (music, ids[count - 1])
  }

  @Test("of 64 songs that have a recording the one of the release is meant, of more none")
  func recordings() throws {
    let wanted = Wanted(recording: "r", release: "L-1")
    for (count, isFound) in [(64, true), (65, false)] {
      let (music, last) = try music(
        count, { Row("/m/\($0).flac", recording: "r", release: "l-2") },
        last: Row("/m/last.flac", recording: "r", release: "l-1"))
      let missing = Match.missing("more than 64 songs have this recording")
      #expect(match(wanted, in: music) == (isFound ? .found(last, .recording) : missing))
      #expect(
        match(Wanted(recording: "r"), in: music)
          == (isFound ? .missing("64 songs have this recording") : missing))
    }
  }

  @Test("of 64 songs of one name the one with the track or length is meant, of more none")
  func names() throws {
    for (count, isFound) in [(64, true), (65, false)] {
      let (music, last) = try music(
        count, { Row("/m/\($0).flac", "T", by: "A", on: "B", track: $0, seconds: 60) },
        last: Row("/m/last.flac", "T", by: "A", on: "B", track: 99, seconds: 600))
      #expect(
        match(Wanted("", "T", by: "A", on: "B", track: 99), in: music)
          == (isFound
            ? .found(last, .tags) : .missing("no song has this artist, album and title")))
      #expect(
        match(Wanted("", "T", by: "A", seconds: 600), in: music)
          == (isFound ? .found(last, .title) : .missing("no song has this artist and title")))
    }
  }

  @Test("of 64 files whose paths end alike the one of the format is meant, of more none")
  func endings() throws {
    for (count, isFound) in [(64, true), (65, false)] {
      let (music, last) = try music(
        count, { Row("/m/\($0)/Album/01.flac", seconds: 60) },
        last: Row("/m/last/Album/01.mp3", seconds: 60))
      #expect(
        match(Wanted("/x/Album/01.mp3", seconds: 60), in: music)
          == (isFound
            ? .found(last, .ending) : .missing("more than 64 songs have a path that ends so")))
    }
  }

  @Test("the ends of a path are of two to eight parts, and others are not told apart by more")
  func parts() throws {
    let names = (1...12).map { "\($0)" }
    for count in 1...12 {
      let path = names.suffix(count).joined(separator: "/")
      let keys = EndingKeys(Array(path.utf8)).keys
      #expect(keys.count == min(count, 8) - 1, "\(path)")
      let longer = EndingKeys(Array("/x/\(path)".utf8)).keys
      #expect(longer.prefix(keys.count) == keys[...])
    }
    #expect(EndingKeys(Array("/".utf8)).keys.isEmpty)
    var music = try MatchingLibrary()
    let ids = try music.add([
      Row("/m/one/2/3/4/5/6/7/8.flac"), Row("/m/two/2/3/4/5/6/7/8.flac"),
      Row("/m/one/1/2/3/4/5/6/7/9.flac"), Row("/m/two/1/2/3/4/5/6/7/9.flac"),
    ])
    let found = Wanted("/x/two/2/3/4/5/6/7/8.flac")
    #expect(match(found, in: music) == .found(ids[1], .ending))
    #expect(
      match(Wanted("/x/two/1/2/3/4/5/6/7/9.flac"), in: music)
        == .missing("2 songs have a path that ends so"))
  }

  @Test("a song that has no track is known by its length, and one without an artist by nothing")
  func tags() throws {
    var music = try MatchingLibrary()
    let ids = try music.add([
      Row("/m/1.flac", "T", by: "A", on: "B", seconds: 60),
      Row("/m/2.flac", "U", on: "B", track: 2, seconds: 60),
      Row("/m/3.flac", "V", on: "B", albumArtist: "A", track: 3),
    ])
    let tags = Match.found(ids[0], .tags)
    #expect(match(Wanted("", "T", by: "A", on: "B", track: 2, seconds: 60), in: music) == tags)
    #expect(match(Wanted("", "T", on: "B", albumArtist: "A", seconds: 60), in: music) == tags)
    #expect(match(Wanted("", "T", by: "A", on: "B", track: 2), in: music)?.song == nil)
    #expect(match(Wanted("", "T", on: "B", seconds: 60), in: music)?.song == nil)
    #expect(match(Wanted("", "U", by: "A", on: "B", track: 2), in: music)?.song == nil)
    #expect(
      match(Wanted("", "V", by: "A", on: "B", track: 3), in: music) == .found(ids[2], .tags))
  }

  @Test("what came in the way is told once, and up to three things of it")
  func notes() {
    var attempt = MatchAttempt(
      Wanted(), path: WantedPath([], lists: [], folders: [], roots: []))
    for words in ["a", "a", "b", "a", "c", "d"] { attempt.note(words) }
    #expect(attempt.tried == "a; b; c")
  }

  @Test("a song that is called so, and not told for sure, is told")
  func unsure() throws {
    var music = try MatchingLibrary()
    try music.add([Row("/m/1.flac", "T", by: "A", on: "B", track: 3, seconds: 60)])
    let words =
      "a song has this artist, album and title, but the list has no track or length that agrees"
    for wanted in [
      Wanted("", "T", by: "A", on: "B"), Wanted("", "T", by: "A", on: "B", track: 4),
    ] {
      #expect(match(wanted, in: music) == .missing(words))
    }
    #expect(
      match(Wanted("", "T", by: "Z", on: "B"), in: music)
        == .missing("no song has this artist, album and title"))
  }

  @Test("what was tried is what the list says enough of")
  func tried() throws {
    let music = try MatchingLibrary()
    for (wanted, words) in [
      (Wanted("/a/b"), "no song has this path, or one that ends so"),
      (Wanted(recording: "r"), "no song has this recording"),
      (Wanted("", "T", by: "A"), "no song has this artist and title"),
      (Wanted("", "T", albumArtist: "A"), "no song has this artist and title"),
      (Wanted("", "T", by: "A", on: "B"), "no song has this artist, album and title"),
      (Wanted("", "T"), "the list says too little of it"),
      (Wanted("", by: "A", on: "B"), "the list says too little of it"),
      (Wanted("http://a/b", "T", by: "A"), "it is an address, no file"),
    ] {
      #expect(match(wanted, in: music) == .missing(words))
    }
  }
}
