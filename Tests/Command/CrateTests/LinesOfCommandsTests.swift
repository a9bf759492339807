import CratesInterface
import ImportedLists
import TestSupport
import Testing

@testable import crate

@Suite("Lines that commands print", .limited)
struct LinesOfCommandsTests {
  private let plain = Terminal(columns: nil, hasStyles: false)

  private func problems(_ kind: Interface.ProblemKind, _ count: Int) -> [Interface.Problem] {
    (1...count).map {
      Interface.Problem(
        kind: kind, path: "/music/\($0)", uri: nil, message: "what \($0)", since: "then")
    }
  }

  @Test("Five problems of one kind are shown each, and of six the first three, or all")
  func manyProblems() {
    func lines(_ count: Int, all: Bool = false) -> [String] {
      ProblemsCommand.lines(problems(.unreadable, count), all: all, plain)
    }
    func each(_ numbers: ClosedRange<Int>, _ indent: String = "") -> [String] {
      numbers.flatMap { ["\(indent)/music/\($0)", "\(indent)  what \($0) (since then)"] }
    }
    #expect(lines(1) == each(1...1))
    #expect(lines(5) == each(1...5))
    #expect(lines(6) == ["6 files can't be read; the first 3:"] + each(1...3, "  "))
    #expect(lines(6, all: true) == each(1...6))
    // The daemon lists only the first ones of very many.
    var left = problems(.unreadable, 6)
    left[5].others = 994
    #expect(
      ProblemsCommand.lines(left, all: false, plain)
        == ["1,000 files can't be read; the first 3:"] + each(1...3, "  "))
    #expect(
      ProblemsCommand.lines(left, all: true, plain) == each(1...6) + ["and 994 more like these"])
  }

  @Test("What concerns everything comes first, and only what has a beginning is told to have one")
  func graveProblems() {
    let kinds: [Interface.ProblemKind] = [
      .unreadable, .folder, .playlist, .store, .duplicate, .settings, .damagedStore, .unreadable,
    ]
    let problems = kinds.map { kind in
      Interface.Problem(
        kind: kind, path: nil, uri: nil, message: "\(kind.rawValue)\u{1B}", since: "then")
    }
    #expect(
      ProblemsCommand.lines(problems, all: false, plain) == [
        "store␛", "damagedStore␛", "settings␛ (since then)", "folder␛", "unreadable␛ (since then)",
        "unreadable␛ (since then)", "playlist␛ (since then)", "duplicate␛",
      ])
    let styled = ProblemsCommand.lines(
      self.problems(.permission, 1), all: false, Terminal(columns: nil, hasStyles: true))
    #expect(
      styled == ["\u{1B}[1m/music/1\u{1B}[0m", "  what 1\u{1B}[2m (since then)\u{1B}[0m"])
  }

  private func status() -> Interface.LibraryStatus {
    Interface.LibraryStatus(
      version: "1.2", pid: 7, started: "then", sequence: 12, folders: [], store: .ready,
      storeReason: nil, storePath: "/store", crates: 1, albums: 2, songs: 1_234, gone: 0,
      problems: 0, warnings: [])
  }

  @Test("The status has a line for each thing that there is to tell")
  func plainStatus() {
    #expect(
      StatusCommand.lines(status(), plain) == [
        "crated    1.2, process 7, since then",
        "Library   1 crate, 2 albums, 1,234 songs; change 12", "Store     /store: ready",
        "Folder    none; see music_folders in config.toml",
      ])
  }

  @Test("The status tells what is not as it should be, and how far a look is")
  func fullStatus() {
    var status = status()
    (status.gone, status.problems, status.warnings) = (1, 1, ["a", "b\u{1B}"])
    (status.store, status.storeReason, status.newAlbums) = (.full, "no room", "Jazz")
    status.folders = [
      .init(path: "/a", state: .watching, directories: 1, songs: 1),
      .init(
        path: "/b", state: .offline, reason: "away", directories: 2_000, songs: 2, scanned: 3,
        toScan: nil),
      .init(path: "/c", state: .polling, directories: 0, songs: 0, scanned: 3, toScan: 5),
    ]
    #expect(
      StatusCommand.lines(status, Terminal(columns: nil, hasStyles: true)) == [
        "\u{1B}[1mcrated    \u{1B}[0m1.2, process 7, since then",
        "\u{1B}[1mLibrary   \u{1B}[0m1 crate, 2 albums, 1,234 songs, 1 gone; change 12",
        "\u{1B}[1mStore     \u{1B}[0m/store: the disk is full; changes are refused until there is"
          + " room",
        "\u{1B}[1m          \u{1B}[0mno room",
        "\u{1B}[1mNew       \u{1B}[0malbums go on top of Jazz",
        "\u{1B}[1mFolder    \u{1B}[0m/a: watching, 1 song in 1 directory",
        "\u{1B}[1mFolder    \u{1B}[0m/b: offline, 2 songs in 2,000 directories; looking, 3 read",
        "\u{1B}[1m          \u{1B}[0maway",
        "\u{1B}[1mFolder    \u{1B}[0m/c: polling, 0 songs in 0 directories; looking, 3 of 5 read",
        "\u{1B}[1mProblems  \u{1B}[0m1; crate problems shows them",
        "\u{1B}[1mWarning   \u{1B}[0ma", "\u{1B}[1mWarning   \u{1B}[0mb␛",
      ])
  }

  @Test("Whoever watches is told a line of each change that did anything, with its first note")
  func watched() {
    func line(_ change: (inout Interface.Change) -> Void) -> String? {
      var told = Interface.Change(
        changed: true, sequence: 1, time: "then", author: .person, summary: "moved\u{1B}")
      change(&told)
      return WatchCommand.line(told)
    }
    #expect(line { _ in } == "then  moved␛")
    #expect(line { $0.changed = false } == nil)
    #expect(line { ($0.changed, $0.complete) = (false, false) } == "then  moved␛")
    #expect(line { $0.complete = false } == "then  moved␛")
    #expect(line { $0.summary = "" } == "then  changes")
    #expect(line { $0.origin = "a\u{1B}" } == "then  by a␛  moved␛")
    for (count, note) in [(1, "(n1␛)"), (2, "(n1␛ and 1 more)"), (1_001, "(n1␛ and 1,000 more)")] {
      #expect(
        line { $0.notes = (1...count).map { "n\($0)\u{1B}" } } == "then  moved␛ \(note)")
    }
  }

  @Test("What a search cut off is told, of albums and songs alike")
  func cut() {
    func remark(_ albums: Int, _ songs: Int, _ all: (Int, Int), _ onTerminal: Bool) -> String? {
      FindCommand.remark(albums, songs, (albums: all.0, songs: all.1), onTerminal: onTerminal)
    }
    #expect(remark(2, 3, (2, 3), true) == nil && remark(0, 0, (0, 0), false) == nil)
    #expect(remark(1, 3, (2, 3), true) == "these are 1 of 2 albums; -n 100 shows more")
    #expect(remark(2, 2, (2, 3), false) == "these are 2 of 3 songs; say more words")
    #expect(
      remark(20, 20, (2_000, 21), true)
        == "these are 20 of 2,000 albums and 20 of 21 songs; -n 100 shows more")
  }

  @Test("A root is their folder and ours, whatever signs are in them")
  func roots() throws {
    for (word, theirs, ours) in [
      (#"D:\Music=/home/me/Music"#, #"D:\Music"#, "/home/me/Music"), ("/a=b=/c", "/a=b", "/c"),
      ("/a=/b=c", "/a", "/b=c"), ("/a=/b=/c", "/a=/b", "/c"), ("a=/b/../c", "a", "/c"),
      ("a=.", "a", FileAddress.absolute(".")), ("a=..", "a", FileAddress.absolute("..")),
      ("a=./x", "a", FileAddress.absolute("./x")), ("a=../x", "a", FileAddress.absolute("../x")),
    ] {
      #expect(
        try ImportCommand.roots([word]) == [Interface.Root(theirs: theirs, ours: ours)], "\(word)")
    }
    #expect(try ImportCommand.roots([]) == [])
    #expect(try ImportCommand.roots(["a=/b", "c=/d"]).map(\.ours) == ["/b", "/d"])
    for word in ["", "/a", "a=b", "=/b", "a=", "a=~/b"] {
      #expect(throws: (any Error).self, "\(word)") { try ImportCommand.roots([word]) }
    }
  }

  @Test("Crates of Serato name their songs from the root of their drive")
  func drives() {
    #expect(
      ListSource.roots(of: "/mnt/x/_Serato_/Subcrates") == [.init(theirs: "/", ours: "/mnt/x")])
    for folder in ["/_Serato_/Subcrates", "/mnt/x/_Serato_", "/mnt/x", ""] {
      #expect(ListSource.roots(of: folder) == [])
    }
  }

  @Test("A path that leads nowhere is searched for by up to four words of its name")
  func queries() {
    for (path, query) in [
      (#"D:\Music\Kind of Blue\01 So What.mp3"#, "path:What"),
      (
        "/a/Miles%20Davis - Blue in Green live 1959.flac",
        "path:Miles path:Davis path:Blue path:Green"
      ),
      ("/music/abc", "path:abc"), ("/music/ab", nil), ("/music/1959.mp3", nil), ("", nil),
      ("/", nil),
      ("/a.b/one.two.three", "path:one path:two"),
      ("/" + String(repeating: "a", count: 300), "path:" + String(repeating: "a", count: 200)),
    ] as [(String, String?)] {
      #expect(Import.query(for: path) == query, "\(path)")
    }
  }

  @Test("The origin of an import is a line, and no longer than the interface takes")
  func origins() {
    #expect(Import.origin("mixxxdb.sqlite") == "import of mixxxdb.sqlite")
    #expect(Import.origin("a\nb\u{1B}c") == "import of a b c")
    #expect(Import.origin(String(repeating: "x", count: 300)).utf8.count == 255)
    #expect(Import.origin(String(repeating: "x", count: 245)).utf8.count == 255)
    #expect(Import.origin(String(repeating: "é", count: 300)).utf8.count == 254)
  }

  @Test("The order of an album is that of its listed songs, as the text has them")
  func order() {
    let text = """
      # remark
      crate Jazz
      \talbum ab
      \t\tsong a 01 A title
      \t\tgone b 02 B
      \t\toffline c
      \t\tsong
      \t song d
      """
    #expect(SongFinding.order(in: text) == ["a", "c"])
  }
}
