import CratesInterface
import TestSupport
import Testing

@Suite("What is sorted and forgotten", .limited)
struct SortingTests {
  private static let jazz = [
    "kind2222aaaa", "bath2222aaaa", "tapp2222aaaa", "kind3333bbbb", "wide2222aaaa",
  ]

  private static func songs(
    _ ids: [String], _ order: Interface.SongOrder, ascending: Bool? = nil
  ) -> Call {
    .sortSongs(songs: ids, order: order, ascending: ascending, sequence: nil)
  }

  private static func albums(
    _ ids: [String], _ order: Interface.AlbumOrder, ascending: Bool? = nil
  ) -> Call {
    .sortAlbums(albums: ids, order: order, ascending: ascending, sequence: nil)
  }

  @Test(
    "albums or songs are sorted, by what is named and by what",
    arguments: [
      ("Jazz by title", albums(jazz, .title)),
      ("crate:Both by shuffled", albums(["jazz2222aaaa"], .shuffled)),
      ("Jazz 2-3 by added", albums(["bath2222aaaa", "tapp2222aaaa"], .added)),
      (
        "Jazz 2-3 by YEAR Oldest",
        albums(["bath2222aaaa", "tapp2222aaaa"], .released, ascending: true)
      ),
      ("Jazz by released newest", albums(jazz, .released, ascending: false)),
      ("Jazz by artist descending", albums(jazz, .artist, ascending: false)),
      ("Jazz by album", albums(jazz, .title)), ("Jazz reversed", albums(jazz, .reversed)),
      ("Jazz Shuffled", albums(jazz, .shuffled)),
      (
        "Jazz 2 by added oldest",
        songs(["sbath2222as2", "sbath2222as3", "sbath2222as4"], .added, ascending: true)
      ),
      (
        "Jazz 2 by title",
        songs(["sbath2222as2", "sbath2222as3", "sbath2222as4"], .title)
      ),
      (
        "crate:Both by track",
        songs(["sjazz2222as2", "sjazz2222as3", "sjazz2222as4"], .track)
      ),
      ("Jazz 2 1,3 by reversed", songs(["sbath2222as2", "sbath2222as4"], .reversed)),
    ])
  func sorted(words: String, call: Call) throws {
    let fixture = try CommandFixture()
    let arguments = ["sort"] + words.split(separator: " ").map(String.init)
    let outcome = try CommandFixture.run(arguments + ["--socket", fixture.socket])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(fixture.changes == [call])
  }

  @Test(
    "a sort that cannot be meant is wrong use",
    arguments: [
      "Jazz", "by title", "Jazz by", "Jazz by size", "Jazz by title up", "Jazz 2 1 by artist",
      "Jazz 2 by released", "Jazz title", "Jazz by title oldest", "Jazz reversed newest",
    ]
  )
  func wrongUse(words: String) throws {
    let fixture = try CommandFixture()
    let arguments = ["sort"] + words.split(separator: " ").map(String.init)
    let outcome = try CommandFixture.run(arguments + ["--socket", fixture.socket])
    #expect(outcome.status == 64)
    #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
    #expect(fixture.changes.isEmpty)
  }

  private func library() -> FakeLibrary {
    var library = FakeLibrary()
    // The first two songs of Kind of Blue are gone, and all of Both is offline.
    for place in 0..<2 {
      library.songs[place].presence = .gone
      library.songs[place].position = nil
    }
    for place in 3..<6 { library.songs[place].presence = .offline }
    library.albums[1].presence = .offline
    return library
  }

  @Test(
    "what is away is forgotten, and what is offline only when it is named",
    arguments: [
      ([], .forget(songs: nil, albums: nil, all: true, sequence: nil)),
      (
        ["crate:Jazz"],
        .forget(
          songs: ["skind2222as2", "skind2222as3", "sbath2222as2", "sbath2222as3", "sbath2222as4"],
          albums: nil, all: false, sequence: nil)
      ),
      (
        ["/music/./kind2222aaaa/"],
        .forget(songs: ["skind2222as2", "skind2222as3"], albums: nil, all: false, sequence: nil)
      ),
      (
        ["id:skind2222as2", "/music/bath2222aaaa"],
        .forget(
          songs: ["sbath2222as2", "sbath2222as3", "sbath2222as4", "skind2222as2"], albums: nil,
          all: false, sequence: nil)
      ),
      (
        ["Jazz", "1-2"],
        .forget(
          songs: ["skind2222as2", "skind2222as3", "sbath2222as2", "sbath2222as3", "sbath2222as4"],
          albums: ["kind2222aaaa", "bath2222aaaa"], all: false, sequence: nil)
      ),
      // A file, all there is, and what is named twice.
      (
        ["file:///music/kind2222aaaa/1%FF%20x.flac"],
        .forget(songs: ["skind2222as2"], albums: nil, all: false, sequence: nil)
      ),
      (
        ["/"],
        .forget(
          songs: ["skind2222as2", "skind2222as3", "sbath2222as2", "sbath2222as3", "sbath2222as4"],
          albums: nil, all: false, sequence: nil)
      ),
      (
        ["/music/bath2222aaaa", "id:skind2222as3", "crate:Jazz", "id:skind2222as3"],
        .forget(
          songs: ["sbath2222as2", "sbath2222as3", "sbath2222as4", "skind2222as3", "skind2222as2"],
          albums: nil, all: false, sequence: nil)
      ),
      (
        ["id:sbath2222as3", "--if-sequence", "7"],
        .forget(songs: ["sbath2222as3"], albums: nil, all: false, sequence: 7)
      ),
    ] as [([String], Call)])
  func forgotten(words: [String], call: Call) throws {
    let fixture = try CommandFixture(library())
    let outcome = try CommandFixture.run(
      ["forget", "--yes"] + words + ["--socket", fixture.socket])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(fixture.changes == [call])
  }

  @Test("who forgets everything is told that it is everything", arguments: [true, false])
  func everything(isAll: Bool) throws {
    var library = library()
    for place in library.songs.indices where isAll || place > 0 {
      library.songs[place].presence = .gone
      library.songs[place].position = nil
    }
    if !isAll { library.songs[0].presence = .present }
    let fixture = try CommandFixture(library)
    for (words, said) in [
      (
        ["forget", "--yes"],
        "crate: that was everything: no song and no crate is left; crate undo brings it back\n"
      ),
      (
        ["forget", "--dry-run"],
        "crate: that would be everything: no song and no crate would be left\n"
      ),
      (["forget", "--yes", "--json"], ""),
    ] {
      let outcome = try CommandFixture.run(words + ["--socket", fixture.socket])
      #expect(outcome.status == 0 && outcome.errors == (isAll ? said : ""), "\(outcome)")
    }
  }

  @Test("what is there is not forgotten, and nothing is without an answer")
  func refused() throws {
    let fixture = try CommandFixture(library())
    #expect(try fixture.run("forget", "--yes", "id:skind2222as4").status == 1)
    #expect(try fixture.run("forget", "--yes", "1979").status == 1)
    #expect(try fixture.run("forget", "--yes", "/music/bath").status == 1)
    #expect(try fixture.run("forget", "--yes", "/music/nine2222aaaa").status == 1)
    let outcome = try fixture.run("forget", input: "y\n")
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("--yes"))
    let nothing = try CommandFixture().run("forget", input: "y\n")
    #expect(nothing.status == 0 && nothing.errors.isEmpty)
    #expect(fixture.changes.isEmpty)
  }
}
