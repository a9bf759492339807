import CratesInterface
import TestSupport
import Testing

@testable import crate

/// What a terminal shows of a small library, word for word.
@Suite("Pages on a terminal", .limited)
struct TerminalPagesTests {
  /// Some of it is away, and the numbers are large.
  private func library() -> FakeLibrary {
    var library = FakeLibrary()
    library.albums[1].presence = .offline
    library.albums[2].position = nil
    library.albums[2].year = 987
    library.albums[3].year = nil
    library.albums[4].songs = 1_234
    library.songs[1].presence = .gone
    library.songs[2].seconds = 3_725
    library.crates[1].position = nil
    library.crates[0].albums = 1_000
    return library
  }

  private func expect(
    _ shown: String, _ expected: String, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(shown == expected, sourceLocation: location)
  }

  @Test("Crates, albums and songs are tables, in which what is away is dim and says so")
  func tables() throws {
    let fixture = try CommandFixture(library())
    try expect(
      fixture.shown("list"),
      """
         Crate        Albums  Songs   Length
      1  Jazz          1,000     15  1:01:40
      –  Rock  Music       2      6  1:01:40
      3  Both              1      3  1:01:40

      """)
    try expect(
      fixture.shown("list", "Jazz"),
      """
         Album          Artist   Year  Songs  Length  Id
      1  Kind of Blue   Someone  1959      3    3:05  kind2
      2  Both           Someone  1959      3    3:05  bath         offline
      –  top            Someone   987      3    3:05  tapp
      4  Greatest Hits  Someone            3    3:05  kind3
      5  東京の夜 🎷    Someone  1959  1,234    3:05  wide2222aaa

      """)
    try expect(
      fixture.shown("list", "kind2", "bath2", "-n", "2", environment: ["NO_COLOR": ""]),
      """
      \u{1B}[1mKind of Blue by Someone\u{1B}[0m
      \u{1B}[1m   Song    Artist   Length  Id\u{1B}[0m
      1  Song 1  Someone    1:02  skind2222as2
      \u{1B}[2m2  Song 2  Someone    1:02  skind2222as3  gone\u{1B}[0m
      \u{1B}[2mand 1 more\u{1B}[0m

      \u{1B}[1mBoth by Someone\u{1B}[0m
      \u{1B}[1m   Song    Artist   Length  Id\u{1B}[0m
      1  Song 1  Someone    1:02  sbath2222as2
      2  Song 2  Someone    1:02  sbath2222as3
      \u{1B}[2mand 1 more\u{1B}[0m

      """)
    #expect(try fixture.shown("list", "-n", "2").hasSuffix("and 1 more\n"))
    #expect(try !fixture.shown("list", "-n", "3").contains("more"))
    #expect(try fixture.shown("list", "-n", "0") == "")
  }

  @Test("What is found is two tables, and what was cut off is told")
  func found() throws {
    let fixture = try CommandFixture(library())
    try expect(
      fixture.shown("find", "kind"),
      """
      Album         Artist   Year  Crate  At  Id
      Kind of Blue  Someone  1959  Jazz    1  kind2

      Song    Artist   Album         At  Crate  Id
      Song 1  Someone  Kind of Blue   1  Jazz   skind2222as2
      Song 2  Someone  Kind of Blue   2  Jazz   skind2222as3  gone
      Song 3  Someone  Kind of Blue   3  Jazz   skind2222as4

      """)
    try expect(
      fixture.shown("find", "top", columns: 44),
      """
      Album  Artist   Year  Crate  Id
      top    Someone   987  Jazz   tapp

      Song    Artist   Album  At  Id
      Song 1  Someone  top     1  stapp2222as2
      Song 2  Someone  top     2  stapp2222as3
      Song 3  Someone  top     3  stapp2222as4

      """)
    var large = FakeLibrary()
    large.albums = (0..<21).map { number in
      var album = large.albums[0]
      album.id = "many\(number)2222aaaa".prefix(12).description
      return album
    }
    let many = try CommandFixture(large)
    let said = "crate: these are 20 of 21 albums; -n 100 shows more\n"
    #expect(try many.shown("find", "kind").hasSuffix(said))
    #expect(try !many.shown("find", "kind", "-n", "20").contains("these are"))
    #expect(try many.run("find", "kind").lines.count == 24)
    #expect(try many.run("find", "kind", "-n", "2").lines.count == 4)
    #expect(try many.run("find", "kind", "-n", "0").status == 0)
  }

  @Test("The history has a line for each change, and its notes below it")
  func history() throws {
    var library = FakeLibrary()
    library.history = [
      .init(
        changed: true, sequence: 12, time: "2026-01-02T03:04:05Z", author: .person,
        summary: "what\u{1B}", notes: (1...5).map { "note \($0)" }),
      .init(
        changed: true, sequence: 11, time: "2026-01-02T03:04:05Z", author: .folder,
        summary: "before"),
    ]
    let fixture = try CommandFixture(library)
    let first = "12  2026-01-02 03:04:05  you  what␛\n"
    let notes = (1...5).map { "    note \($0)\n" }
    let last = "11  2026-01-02 03:04:05  folder  before\n"
    #expect(
      try fixture.shown("history") == first + notes.prefix(4).joined()
        + "    and 1 more; crate history --all shows them\n" + last)
    #expect(try fixture.shown("history", "--all") == first + notes.joined() + last)
    #expect(
      try fixture.run("history", "--all").output == first.replacing("  ", with: "\t")
        + notes.joined() + last.replacing("  ", with: "\t"))
  }

  @Test("A long history is asked for a hundred changes at a time, as many as are wanted")
  func longHistory() throws {
    for (words, asked, shown) in [
      ([], [20], 20), (["-n", "100"], [100], 100), (["-n", "101"], [100, 1], 101),
      (["-n", "250"], [100, 100, 50], 230), (["-n", "230"], [100, 100, 30], 230),
      (["-n", "50", "--before", "32"], [50], 31), (["-n", "0"], [], 0), (["-n", "1"], [1], 1),
    ] as [([String], [Int], Int)] {
      var library = FakeLibrary()
      library.history = (1...230).reversed().map {
        Interface.Change(changed: true, sequence: $0, time: "", author: .person, summary: "s")
      }
      let fixture = try CommandFixture(library)
      let outcome = try CommandFixture.run(["history"] + words + ["--socket", fixture.socket])
      #expect(outcome.status == 0 && outcome.lines.count == shown, "\(words)")
      #expect(fixture.lookedBack.compactMap(\.historyLimit) == asked, "\(words)")
      #expect(Set(outcome.lines).count == shown)
    }
  }

  @Test("Whoever types nothing sees the crates, what is wrong, what came, and what to do next")
  func overview() throws {
    var library = FakeLibrary()
    library.history = [
      .init(
        changed: true, sequence: 7, time: "", author: .folder, summary: "",
        albums: library.albums.map(\.id))
    ]
    for place in library.albums.indices { library.albums[place].came = 6 }
    library.albums[6].came = 7
    library.albums[6].artist = ""
    library.albums[7].came = 5
    library.albums[5].position = nil
    library.problems = [.init(kind: .store, path: nil, uri: nil, message: "m", since: "")]
    let folder = try TemporaryFolder()
    let environment = ["XDG_STATE_HOME": folder.path]
    let fixture = try CommandFixture(library)
    let first = try fixture.shown(environment: environment)
    expect(
      first,
      """
         Crate        Albums  Songs   Length
      1  Jazz              5     15  1:01:40
      2  Rock  Music       2      6  1:01:40
      3  Both              1      3  1:01:40
      1 problem: crate problems
      /nas is offline; its albums keep their places

      crate list Jazz                  its albums, with numbers
      crate move Jazz 1 to Favourites  moves one to another crate
      crate play Jazz                  plays it, in your order
      crate help                       all commands

      """)
    #expect(try readFile(folder.path("crated/looked")) == Array("7\n".utf8))
    #expect(try fixture.shown(environment: environment) == first)
    try folder.write("5\n", to: "crated/looked")
    try expect(
      fixture.shown(environment: environment),
      """
         Crate        Albums  Songs   Length
      1  Jazz              5     15  1:01:40
      2  Rock  Music       2      6  1:01:40
      3  Both              1      3  1:01:40
      1 problem: crate problems
      /nas is offline; its albums keep their places

      New since you last looked
         1979, Rock  Music 2
         Kind of Blue by Someone, Jazz 1
         Both by Someone, Jazz 2
         top by Someone, Jazz 3
         Greatest Hits by Someone, Jazz 4
         and 2 more

      crate list Jazz                  its albums, with numbers
      crate move Jazz 1 to Favourites  moves one to another crate
      crate play Jazz                  plays it, in your order
      crate help                       all commands

      """)
    try folder.write("6\n", to: "crated/looked")
    let second = try fixture.shown(environment: environment)
    #expect(second.contains("New since you last looked\n   1979, Rock  Music 2\n\n"))
  }

  @Test("Where there is no crate yet the overview says where music is looked for")
  func nothing() throws {
    var library = FakeLibrary()
    (library.crates, library.albums, library.songs) = ([], [], [])
    let shown = try CommandFixture(library).shown()
    expect(
      shown,
      """
      There is no music in /music, /nas yet.
      /nas is offline; its albums keep their places

      crate status  where music is looked for
      crate sync    waits until it is read
      crate help    all commands

      """)
  }

  @Test("While music is read the pages say how far that is, and what is missing may yet come")
  func scanning() throws {
    var library = FakeLibrary()
    library.isScanning = true
    let fixture = try CommandFixture(library)
    let said = "1 of 2 songs are read"
    #expect(try fixture.run("list").errors == "crate: \(said); crate sync waits for the rest\n")
    #expect(try fixture.run("list", "Jazz").errors == "")
    #expect(try fixture.run("list", "--json").errors == "")
    #expect(
      try fixture.run("move", "nosuch", "top").errors
        == "crate: nothing is called “nosuch” yet; \(said), and crate sync waits\n")
    #expect(try fixture.run("move", "Jaz", "top").errors.hasSuffix("did you mean Jazz?\n"))
    #expect(try fixture.shown().contains("\n\(said); crate sync waits for the rest\n\ncrate list"))
    (library.crates, library.albums, library.songs) = ([], [], [])
    let empty = try CommandFixture(library)
    #expect(
      try empty.shown().hasPrefix(
        "The music is being read.\n\(said); crate sync waits for the rest\n\n"))
    #expect(try empty.run("list").errors == "crate: \(said); crate sync waits for the rest\n")
    library.isScanning = false
    #expect(
      try CommandFixture(library).run("list").errors
        == "crate: there is no music yet; crate status shows where it is looked for\n")
    library.storeReason = "journal.4.txt is damaged at line 18"
    #expect(
      try CommandFixture(library).run("list").errors
        == "crate: no crate is listed: journal.4.txt is damaged at line 18\n")
  }

  @Test("Where all is gone, nothing says that there never was any, or that all is well")
  func allGone() throws {
    var library = FakeLibrary()
    (library.crates, library.albums) = ([], [])
    for place in library.songs.indices { library.songs[place].presence = .gone }
    let count = library.songs.count
    let fixture = try CommandFixture(library)
    let said = "all music is gone from its folders; places are kept for \(count) songs"
    #expect(
      try fixture.run("list").errors
        == "crate: \(said); crate status shows where it is looked for\n")
    #expect(
      try fixture.run("problems").errors
        == "No file is wrong, but \(said). crate status shows where it is looked for.\n")
    #expect(
      try fixture.shown().hasPrefix(
        "There is no music in /music, /nas any more; places are kept for \(count) songs.\n"))
  }

  @Test("What can't be meant, or lists nothing, is told with what is there")
  func nothingThere() throws {
    var library = FakeLibrary()
    library.crates.append(.init(name: "Empty", position: nil, albums: 0, songs: 0, seconds: 0))
    library.songs.removeAll { $0.album == "nine2222aaaa" }
    let fixture = try CommandFixture(library)
    for (words, status, said) in [
      ("list Empty", 0, "no album is listed there; --gone shows kept places"),
      ("list album:1979", 0, "no song is listed there; --gone shows kept places"),
      ("sort Empty by track", 1, "no song is listed there"),
      ("sort Empty by title", 1, "no album is listed there"),
      ("play album:1979", 1, "there is no song in it"),
      ("move album:1979 sbath2222as2 top", 64, "songs and albums cannot be moved in one go"),
      (
        "move Jazz 1 before Jazz 2 1", 64,
        "“Jazz 2 1” is no album, which is what is being moved"
      ),
      (
        "move album:1979 to Jaz --dry-run", 0, "Jaz is a new crate; did you mean Jazz?"
      ),
    ] as [(String, Int32, String)] {
      let arguments = words.split(separator: " ").map(String.init)
      let outcome = try CommandFixture.run(arguments + ["--socket", fixture.socket])
      #expect(
        outcome.status == status && outcome.errors == "crate: \(said)\n", "\(words): \(outcome)")
    }
    #expect(try fixture.run("list", "Jazz").errors == "")
  }

  @Test("A cover is shown as the terminal can show it")
  func covers() throws {
    let fixture = try CommandFixture()
    func art(_ album: String, answers: String = "\u{1B}[?62c") throws -> String {
      try fixture.shown("art", album, environment: ["NO_COLOR": ""], answers: answers)
    }
    let blocks = try art("1979")
    #expect(blocks.contains("▀") && !blocks.contains("\u{1B}_Ga=t"))
    #expect(try art("1979", answers: "\u{1B}[?62;4c").contains("\u{1B}P0;1;0q\"1;1;"))
    #expect(
      try fixture.shown("art", "Jazz", "2", environment: ["NO_COLOR": ""], status: 1)
        .hasSuffix(
          "crate: a picture of type image/gif can't be shown here; write it to a file: crate art"
            + " Jazz 2 > cover\n"))
    #expect(
      try fixture.shown("art", "1979", status: 1)
        == "crate: this terminal shows no pictures; write it to a file: crate art 1979 > cover\n")
    let kitty = try art("1979", answers: "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;4c")
    #expect(kitty.contains("\u{1B}_Ga=t"))
  }
}

extension Call {
  fileprivate var historyLimit: Int? {
    if case .history(let limit, _) = self { limit } else { nil }
  }
}
