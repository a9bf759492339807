import Arguments
import CratesInterface
import Platform
import TestSupport
import Testing

@testable import crate

/// What is asked of the daemon, call by call, for what a command wants to know.
@Suite("Asking the daemon", .limited)
struct AskingTests {
  private func daemon(_ fixture: CommandFixture) throws -> DaemonConnection {
    try DaemonConnection(try CommonOptions.parse(["--socket", fixture.socket]))
  }

  private var terminal: Terminal {
    var terminal = Terminal(columns: 80, hasStyles: false)
    terminal.isTerminal = true
    return terminal
  }

  @Test("Ids are as short as they mean one thing, and whole where it isn't known what they mean")
  func shortIds() throws {
    var library = FakeLibrary(
      crate: "A",
      albums: [("abcdef222222", "x"), ("abcdeg222222", "y"), ("wxyz22222222", "z")])
    library.songs = []
    let fixture = try CommandFixture(library)
    let ids = ["abcdef222222", "abcdeg222222", "wxyz22222222", "none22222222", "", "wxyz22222222"]
    let short = try ShortIds(ids, try daemon(fixture), for: terminal)
    #expect(
      ids.map(short.shown) == ["abcdef", "abcdeg", "wxyz", "none22222222", "", "wxyz"])
    #expect(
      fixture.resolved.map { Set($0.map { $0[0] }) } == [
        ["id:abcd", "id:wxyz", "id:none"], ["id:abcde"], ["id:abcdef", "id:abcdeg"],
      ])
    #expect(fixture.resolved.map(\.count) == [4, 2, 2])
    let pipe = Terminal(columns: nil, hasStyles: false)
    #expect(
      try ShortIds(ids, try daemon(fixture), for: pipe).shown("wxyz22222222") == "wxyz22222222")
    #expect(fixture.resolved.count == 3)
  }

  @Test("Of many ids two thousand are asked for at once")
  func manyIds() throws {
    let fixture = try CommandFixture(FakeLibrary(crate: "A", albums: []))
    let ids = (0..<4_500).map { "\($0 + 1_000_000)" }
    _ = try ShortIds(ids, try daemon(fixture), for: terminal)
    #expect(fixture.resolved.map(\.count) == [2_000, 2_000, 500])
  }

  @Test("Of many names five thousand are asked for at once")
  func manyNames() throws {
    let fixture = try CommandFixture(FakeLibrary(crate: "A", albums: []))
    let finder = Finder(daemon: try daemon(fixture))
    var whats: [WhatArgument] = []
    for number in 0..<5_001 { whats.append(try WhatArgument(name: "id:\(number)")) }
    whats.append(try WhatArgument(name: "A"))
    let meanings = try finder.meanings(of: whats)
    #expect(fixture.resolved.map(\.count) == [5_000, 2])
    #expect(meanings.count == 5_002 && meanings.last?.what.map(\.key) == ["A"])
    #expect(meanings.dropLast().allSatisfy { $0.what.isEmpty })
  }

  /// A library in which the folder brought an album with each change.
  private func arrivals(_ changes: Int, by author: Interface.Author = .folder) -> FakeLibrary {
    var library = FakeLibrary(crate: "A", albums: (0..<changes).map { ("id\($0)", "\($0)") })
    for place in library.albums.indices { library.albums[place].came = place + 1 }
    library.history = (1...changes).reversed().map {
      Interface.Change(
        changed: true, sequence: $0, time: "", author: author, summary: "",
        albums: ["id\($0 - 1)", "id0"])
    }
    return library
  }

  @Test("What came since a change is looked for up to that one, in 500 changes at most")
  func arrivalsSince() throws {
    for (changes, since, found, asked) in [
      (10, 9, 1, 1), (10, 8, 2, 1), (10, 10, 0, 1), (10, 0, 10, 1), (49, 0, 49, 1), (50, 0, 50, 2),
      (120, 70, 50, 2), (120, 69, 51, 2), (120, 71, 49, 1), (120, 20, 100, 3), (120, 21, 99, 2),
      (600, 1, 500, 10),
    ] {
      let fixture = try CommandFixture(arrivals(changes))
      let albums = try Overview.arrivals(since: since, try daemon(fixture))
      #expect(albums.count == found, "\(changes) \(since)")
      #expect(
        albums.map(\.came) == Array((since..<changes).reversed().map { $0 + 1 }.prefix(found)))
      let calls = fixture.lookedBack.count
      #expect(calls == asked, "\(changes) \(since): \(calls)")
      #expect(fixture.listings.isEmpty == (found == 0))
    }
    let person = try CommandFixture(arrivals(10, by: .person))
    #expect(try Overview.arrivals(since: 3, try daemon(person)).isEmpty)
  }

  @Test("Names on several levels are found in one call, and folders in another")
  func meanings() throws {
    let fixture = try CommandFixture()
    let folder = try TemporaryFolder()
    let finder = Finder(daemon: try daemon(fixture))
    let found = try finder.found(["Jazz", "1-2", "album:1979", "Kind of Blue"])
    #expect(found.isOneByOne)
    #expect(found.things.map(\.key) == ["kind2222aaaa", "bath2222aaaa", "nine2222aaaa"])
    #expect(try !finder.found(["Jazz", "1-2"]).isOneByOne)
    #expect(try finder.found(["Jazz", "1,2"]).isOneByOne)
    let said = message { () throws(Failure) in _ = try finder.found([folder.path, "Jazz"]) }
    #expect(said?.hasPrefix("there is no song of yours at \(folder.path)") == true)
    #expect(fixture.resolved.suffix(2).map { $0.map { $0[0] } } == [["Jazz"], [folder.path]])
    #expect(
      message { () throws(Failure) in _ = try finder.found(["Jazz", "-"]) }
        == "`-` stands alone, for what comes on standard input")
    #expect(
      message { () throws(Failure) in _ = try finder.thing(["Jazz", "1-3"]) }
        == "“Jazz 1-3” matches 3 things; this command takes one")
    #expect(try finder.thing(["Jazz", "3"]).key == "tapp2222aaaa")
  }

  @Test("A crate stands for its albums, each once, and an empty one for none")
  func albums() throws {
    var library = FakeLibrary()
    library.crates.append(.init(name: "Empty", position: nil, albums: 0, songs: 0, seconds: 0))
    let fixture = try CommandFixture(library)
    let finder = Finder(daemon: try daemon(fixture))
    let things = try finder.things(["nine2222aaaa", "crate:Rock Music", "crate:Both"])
    #expect(try finder.albums(of: things) == ["nine2222aaaa", "hits2222aaaa", "jazz2222aaaa"])
    let empty = try finder.things(["Empty"])
    #expect(
      message { () throws(Failure) in _ = try finder.albums(of: empty) }
        == "no album is listed there")
  }

  @Test("Songs come as they were named, listings and single ones alike")
  func songs() throws {
    let fixture = try CommandFixture()
    let finder = Finder(daemon: try daemon(fixture))
    var ids: [String] = []
    try finder.eachSong(["id:sbath2222as3", "id:sbath2222as2", "album:1979", "id:stapp2222as2"]) {
      (object) throws(Failure) in
      ids.append(object["id"]?.string ?? "")
    }
    #expect(
      ids == [
        "sbath2222as3", "sbath2222as2", "snine2222as2", "snine2222as3", "snine2222as4",
        "stapp2222as2",
      ])
    #expect(fixture.listings.count == 3)
  }

  @Test("What is gone is not listed, and its kind and its key are what it is")
  func things() throws {
    let gone = Interface.Thing(album: "abcd", label: "L", presence: .gone)
    #expect(
      message { () throws(Failure) in try gone.refuseGone() }
        == "L is gone: its files are not in the music folders any more; its place is kept, and"
        + " crate forget abcd drops it")
    for presence in [Interface.Presence.present, .offline, .unknown] {
      let there = Interface.Thing(crate: "C", label: "L", presence: presence)
      #expect(message { () throws(Failure) in try there.refuseGone() } == nil)
    }
    let song = Interface.Thing(song: "s", label: "L", presence: .present)
    #expect(song.kind == .song && song.key == "s" && gone.kind == .album && gone.key == "abcd")
  }

  @Test("Of ten things that may be meant all are named, and of more how many more there are")
  func candidates() throws {
    for (count, rest) in [
      (2, nil), (10, nil), (11, ", or one of 1 more"), (13, ", or one of 3 more"),
    ]
      as [(Int, String?)]
    {
      let fixture = try CommandFixture(
        FakeLibrary(crate: "A", albums: (0..<count).map { ("same\(10_000_000 + $0)", "Same") }))
      let finder = Finder(daemon: try daemon(fixture), wanted: [.album])
      let said = try #require(
        message { () throws(Failure) in _ = try finder.thing(["Same"]) })
      #expect(said.hasPrefix("“Same” may be same10000000 (Same by Someone)"))
      #expect(said.hasSuffix("(Same by Someone)\(rest ?? ""); write one of these"), "\(said)")
      #expect(said.split(separator: "same1").count - 1 == min(count, 10))
    }
  }

  @Test("Calls that are sent one behind the other are answered in their order")
  func replies() throws {
    let fixture = try CommandFixture()
    let calls = ["Jazz", "Both", "Rock  Music"].map {
      Call.listAlbums(crate: $0, gone: false, first: nil, count: 1)
    }
    let replies = try daemon(fixture).replies(to: calls)
    let found = replies.map { reply in
      if case .albums(let albums, _, _) = reply { albums.map(\.crate) } else { [String]() }
    }
    #expect(found == [["Jazz"], ["Both"], ["Rock  Music"]])
    #expect(try daemon(fixture).replies(to: []).isEmpty)
  }

  @Test("A trial of forgetting goes by what was shown, and so does what is said yes to by hand")
  func forgetting() throws {
    var library = FakeLibrary()
    library.songs[0].presence = .gone
    let fixture = try CommandFixture(library)
    #expect(try fixture.run("forget", "crate:Jazz", "--dry-run").status == 0)
    #expect(try fixture.run("forget", "crate:Jazz", "--dry-run", "--if-sequence", "3").status == 0)
    #expect(try fixture.run("forget", "--dry-run").status == 0)
    let songs = ["skind2222as2"]
    #expect(
      fixture.changes == [
        .forget(songs: songs, albums: nil, all: false, sequence: 7, dryRun: true),
        .forget(songs: songs, albums: nil, all: false, sequence: 3, dryRun: true),
        .forget(songs: nil, albums: nil, all: true, sequence: 7, dryRun: true),
      ])
  }

  @Test("What is forgotten is what was shown first, though the library goes on meanwhile")
  func forgettingMeanwhile() throws {
    var library = FakeLibrary()
    library.isMoving = true
    for place in [0, 4] { library.songs[place].presence = .gone }
    let fixture = try CommandFixture(library)
    let words = ["forget", "album:Kind of Blue", "album:Both", "--dry-run"]
    let outcome = try CommandFixture.run(words + ["--socket", fixture.socket])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      fixture.changes == [
        .forget(
          songs: ["skind2222as2", "sbath2222as3"], albums: ["kind2222aaaa", "bath2222aaaa"],
          all: false, sequence: 7, dryRun: true)
      ])
  }

  @Test("Numbers that options take begin where they have to")
  func numbers() throws {
    let fixture = try CommandFixture()
    for (words, status) in [
      (["history", "-n", "-1"], 64), (["history", "--before", "-1"], 64),
      (["list", "-n", "-1"], 64),
      (["list", "-n", "0"], 0), (["undo", "0"], 64), (["undo", "--to", "-1"], 64),
      (["undo", "1", "--to", "1"], 64), (["undo", "--to", "0"], 0), (["undo", "1"], 0),
      (["redo", "0"], 64), (["redo", "1"], 1), (["find", "x", "-n", "-1"], 64),
      (["move", "1979", "top", "--if-sequence", "-1"], 64),
      (["move", "1979", "top", "--if-sequence", "0"], 0),
    ] as [([String], Int32)] {
      let outcome = try CommandFixture.run(words + ["--socket", fixture.socket])
      #expect(outcome.status == status, "\(words): \(outcome.errors)")
    }
  }
}
