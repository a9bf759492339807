import Arguments
import CratesInterface
import ImportedLists
import TestSupport
import Testing

@testable import crate

/// An import against a small library, call by call.
@Suite("From lists to a plan", .limited)
struct ImportingTests {
  private static func list(_ name: String, _ paths: [String]) -> ImportedList {
    var list = ImportedList(name: name)
    list.songs = paths.map { path in
      var song = WantedSong()
      song.path = path
      return song
    }
    return list
  }

  private static func file(_ lists: ImportedList...) -> ListFile {
    var file = ListFile()
    file.lists = lists
    return file
  }

  private func work(
    _ fixture: CommandFixture, _ files: [ListSource.File], only: [String] = []
  ) throws -> Import {
    var choice = ImportChoice()
    choice.only = only
    return Import(
      daemon: try DaemonConnection(try CommonOptions.parse(["--socket", fixture.socket])),
      source: ListSource(path: "/lists/a.m3u", folder: "/lists", files: files), choice: choice,
      roots: [.init(theirs: "/x", ours: "/y")])
  }

  private func matches(_ fixture: CommandFixture) -> [[String]] {
    fixture.changes.compactMap {
      if case .match(let wanted, "/lists", [.init(theirs: "/x", ours: "/y")]) = $0 {
        wanted.map { $0.path ?? "" }
      } else {
        nil
      }
    }
  }

  private static let kind = ["skind2222as2", "skind2222as3", "skind2222as4"]

  @Test("What was found becomes a plan, with the order of albums of which a list has all songs")
  func plan() throws {
    let fixture = try CommandFixture()
    let lists = Self.file(
      Self.list("Late", Self.kind.reversed() + ["snine2222as2", "snine2222as3", "none"]),
      Self.list("jazz", ["skind2222as2"]))
    let proposal = try work(fixture, [.lists(lists)]).proposal()
    #expect(proposal.sequence == 7)
    let plan = proposal.plan
    #expect(
      plan.lists.map(\.name) == ["Late", "jazz"] && plan.lists.map(\.crate) == ["Late", "Jazz"])
    #expect(plan.lists[0].albums.map(\.album.id) == ["kind2222aaaa", "nine2222aaaa"])
    #expect(plan.lists[0].albums.map(\.songs) == [Self.kind.reversed(), []])
    #expect(plan.lists[0].missing.map(\.tried) == ["no such song"])
    #expect(plan.lists[0].albums[0].album.crate == "Jazz")
    #expect(plan.lists[0].albums[0].album.year == 1959)
    #expect(matches(fixture).map(\.count) == [6, 1])
    let texts = fixture.changes.filter { if case .readText = $0 { true } else { false } }
    #expect(texts == [.readText(crate: nil, album: "kind2222aaaa")])
  }

  @Test("Where the library changes meanwhile it is worked out again, three times at most")
  func again() throws {
    for (steady, attempts, sequence) in [(0, 1, 7), (1, 2, 7), (2, 3, 7), (9, 3, 10)] {
      let fixture = try CommandFixture(changing: steady)
      let proposal = try work(fixture, [.lists(Self.file(Self.list("Late", Self.kind)))]).proposal()
      #expect(matches(fixture).count == attempts, "\(steady)")
      #expect(proposal.sequence == sequence)
    }
  }

  @Test("A list in another encoding is read in the one in which most of its songs are found")
  func encodings() throws {
    let kind = Self.kind.joined(separator: "\n")
    let bytes = Array("#PLAYLIST:Caf".utf8) + [0xE9] + Array("\n\(kind)\nk".utf8) + [0xE9]
    let fixture = try CommandFixture()
    let plan = try work(fixture, [.undecoded(bytes, path: "/lists/a.m3u")]).proposal().plan
    #expect(plan.lists.map(\.name) == ["Café"])
    #expect(plan.lists.map(\.found) == [3])
    #expect(plan.lists[0].missing.map(\.song.path) == ["ké"])
    // Of what is not found nobody knows by which name it may be there.
    #expect(
      plan.lists[0].missing.map(\.tried)
        == ["the list is not in UTF-8, and its encoding is not known"])
    #expect(matches(fixture).allSatisfy { $0.count == 4 })

    // A second list beside it is read as the first is.
    let russian: [UInt8] = [0xCA, 0xE8, 0xED, 0xEE]
    let named = Array("#EXTENC:windows-1251\n".utf8) + russian
    let both = try work(
      fixture,
      [
        .undecoded(named, path: "/lists/a.m3u"), .undecoded(russian, path: "/lists/b.m3u"),
        .lists(Self.file(Self.list("c", ["x"]))),
      ]
    ).proposal().plan
    #expect(both.lists.map { $0.missing.map(\.song.path) } == [["Кино"], ["Кино"], ["x"]])
    #expect(
      both.lists.map(\.skipReason)
        == [.undecoded(paths: ["Кино"]), .undecoded(paths: ["Кино"]), .hardlyFound(paths: ["x"])])
  }

  @Test("Beside paths that lead nowhere stand near ones of ours, or just some")
  func neighbours() throws {
    let fixture = try CommandFixture()
    let paths = ["/x/kind.mp3", "/x/nothing.mp3", "/x/1.mp3", "/x/2.mp3", "/x/3.mp3", "/x/4.mp3"]
    let work = try work(
      fixture, [.lists(Self.file(Self.list("Old", paths), Self.list("Other", ["/x/top.mp3"])))])
    let found = try work.neighbours(of: try work.proposal().plan)
    #expect(
      found == [
        "/x/kind.mp3": "/music/Kind of Blue/1\u{FFFD}.flac",
        "/x/nothing.mp3": "/music/Kind of Blue/2\u{FFFD}.flac",
        "/x/1.mp3": "/music/Kind of Blue/3\u{FFFD}.flac",
      ])
  }

  @Test("A plan is applied as one change, by the number of what it was made from")
  func applied() throws {
    let fixture = try CommandFixture()
    let work = try work(fixture, [.lists(Self.file(Self.list("Late", Self.kind)))])
    let proposal = try work.proposal()
    for isDryRun in [true, false] {
      #expect(try work.apply(proposal, isDryRun: isDryRun)["change"]?["sequence"] == 8)
    }
    #expect(
      fixture.changes.suffix(2)
        == [true, false].map {
          .applyText(
            text: proposal.plan.text, sequence: 7, crate: nil, partial: true,
            origin: "import of a.m3u", dryRun: $0)
        })
    let refusing = try CommandFixture(refusing: .outdated(sequence: 9))
    let outdated = try self.work(refusing, [.lists(Self.file(Self.list("Late", [])))])
    #expect {
      try outdated.apply(proposal, isDryRun: false)
    } throws: { error in
      (error as? Failure)
        == Failure(
          status: .tryAgain,
          message: "the library changed too much while the lists were looked up; try again")
    }
    #expect(refusing.changes.count == 1)
  }
}
