import CratesInterface
import Glibc
import Platform
import TestSupport
import Testing

@testable import crate

@Suite("The command line", .limited)
struct CommandTests {
  @Test("in a pipe, crates, albums and songs are lines of the same seven columns")
  func lean() throws {
    let fixture = try CommandFixture()
    #expect(
      try fixture.run("list").output == """
        1\tJazz\t\t\t15\t1:01:40\t
        2\tRock  Music\t\t\t6\t1:01:40\t
        3\tBoth\t\t\t3\t1:01:40\t

        """)
    let albums = try fixture.run("list", "crate:Jazz", environment: ["COLUMNS=20"]).output
    #expect(
      albums == """
        1\tKind of Blue\tSomeone\t1959\t3\t3:05\tkind2222aaaa
        2\tBoth\tSomeone\t1959\t3\t3:05\tbath2222aaaa
        3\ttop\tSomeone\t1959\t3\t3:05\ttapp2222aaaa
        4\tGreatest Hits\tSomeone\t1959\t3\t3:05\tkind3333bbbb
        5\t東京の夜 🎷\tSomeone\t1959\t3\t3:05\twide2222aaaa

        """)
    #expect(
      try fixture.run("list", "Jazz", "1").output == """
        1\tSong 1\tSomeone\t\t\t1:02\tskind2222as2
        2\tSong 2\tSomeone\t\t\t1:02\tskind2222as3
        3\tSong 3\tSomeone\t\t\t1:02\tskind2222as4

        """)
    for words in [["-n", "2"], ["-n2"]] {
      let outcome = try CommandFixture.run(
        words + ["list", "crate:Jazz", "--socket", fixture.socket])
      #expect(outcome.lines.count == 2 && outcome.errors.isEmpty, "\(outcome)")
    }
    #expect(LeanLine.line(["a\tb", "c\r\nd\u{2028}", "\u{1B}"]) == "a b\tc d \t␛")
  }

  @Test("a table fits the terminal, whatever the letters")
  func narrow() {
    func lines(_ columns: Int, _ titles: [String]) -> [String] {
      var table = Table([
        .number(""), .name("Album"),
        .name("Artist"),
        .number("Songs", leaves: 1),
        .word("Id", leaves: 2), .word(""),
      ])
      for (number, title) in titles.enumerated() {
        table.add(["\(number + 1)", title, "Someone", "3", "aaaa", ""])
      }
      return table.lines(for: Terminal(columns: columns, hasStyles: false))
    }
    let titles = [
      String(repeating: "東", count: 60), String(repeating: "x", count: 60),
      String(repeating: "e\u{301}", count: 60), "सपना बारिश",
    ]
    let blanks = { (count: Int) in String(repeating: " ", count: count) }
    #expect(
      lines(52, titles) == [
        "   Album\(blanks(22))  Artist   Songs  Id",
        "1  \(String(repeating: "東", count: 13))…  Someone      3  aaaa",
        "2  \(String(repeating: "x", count: 26))…  Someone      3  aaaa",
        "3  \(String(repeating: "e\u{301}", count: 26))…  Someone      3  aaaa",
        "4  सपना बारिश\(blanks(17))  Someone      3  aaaa",
      ])
    // Titles get the room before counts and ids.
    #expect(lines(48, titles)[0].split(separator: " ") == ["Album", "Artist", "Id"])
    #expect(lines(40, titles)[0].split(separator: " ") == ["Album", "Artist"])
    #expect(lines(20, titles)[0].split(separator: " ") == ["Album", "Artist"])
    for columns in 20...80 {
      for line in lines(columns, titles) { #expect(DisplayWidth.of(line) <= columns, "\(line)") }
    }
    // Vowel signs beside their letters take room as terminals give it.
    #expect(DisplayWidth.of("सपना") == 4 && DisplayWidth.of("चाँद") == 3)
  }

  @Test("what to do next fits the terminal, and is told as far as there is room")
  func advice() throws {
    let crates = FakeLibrary().crates
    func lines(_ columns: Int) -> [String] {
      Overview.advice(crates, for: Terminal(columns: columns, hasStyles: false))
    }
    for columns in 34...100 {
      let lines = lines(columns)
      for line in lines { #expect(DisplayWidth.of(line) <= columns, "\(line)") }
      #expect(lines[1].hasPrefix("crate move Jazz 1 to Favourites"))
    }
    #expect(lines(34)[0] == "crate list Jazz")
    // Sixteen columns are enough to say something in.
    #expect(lines(48)[1] == "crate move Jazz 1 to Favourites")
    #expect(lines(49)[1] == "crate move Jazz 1 to Favourites  moves one to an…")
    #expect(lines(60).allSatisfy { !$0.contains("…") })
    #expect(lines(80)[0] == "crate list Jazz                  its albums, with numbers")
  }

  @Test("five new albums are named, and of others how many there are")
  func newAlbums() {
    let library = FakeLibrary(crate: "Jazz", albums: (1...7).map { ("id\($0)", "Title \($0)") })
    func named(_ count: Int) -> [String] { Overview.named(Array(library.albums.prefix(count))) }
    let all = (1...7).map { "Title \($0) by Someone, Jazz \($0)" }
    #expect(named(0) == [] && named(5) == Array(all[..<5]))
    #expect(named(6) == all[..<5] + ["and 1 more"] && named(7) == all[..<5] + ["and 2 more"])
    var album = library.albums[0]
    (album.artist, album.position) = ("", nil)
    #expect(Overview.named([album]) == ["Title 1"])
  }

  @Test("control characters are made harmless, and there is no colour in a file")
  func harmless() throws {
    let fixture = try CommandFixture(
      FakeLibrary(crate: "A", albums: [("aaaa2222aaaa", "\u{1B}[31m\u{7}red\n\u{202E}x\u{9B}")]))
    let outcome = try fixture.run("list", "A")
    #expect(outcome.output.contains("␛[31m␇red \u{FFFD}x\u{FFFD}"))
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test("--json prints the interface's objects, one a line")
  func json() throws {
    let library = FakeLibrary()
    let fixture = try CommandFixture(library)
    #expect(try fixture.run("list", "--json").lines == library.crates.map(\.json.text))
    #expect(
      try fixture.run("list", "crate:Jazz", "--json").lines
        == library.albums[..<5].map(\.json.text))
    #expect(
      try fixture.run("list", "Jazz", "1", "--json").lines == library.songs[..<3].map(\.json.text))
    let change = try JSON(parsing: try fixture.run("move", "1979", "up", "--json").output)
    #expect(change["sequence"] == 8)
  }

  @Test("paths are the exact bytes, in order")
  func paths() throws {
    let fixture = try CommandFixture()
    let raw = try fixture.run("paths", "Jazz", "1", "-0").output
    #expect(raw.split(separator: "\0").count == 3)
    let lines = try fixture.run("paths", "Jazz", "1,2", "rock music", "shits2222as2").lines
    #expect(lines.count == 13)
    #expect(lines.first == "/music/kind2222aaaa/1\u{FFFD} x.flac")
    #expect(lines[11] == "/music/nine2222aaaa/3\u{FFFD} x.flac")
    #expect(lines[12] == "/music/hits2222aaaa/1\u{FFFD} x.flac")
    #expect(try fixture.run("paths", "id:sbath2222as2").lines.count == 1)
    #expect(try fixture.run("paths", "kind2222aaa9").status == 1)
  }

  @Test("a path with a line break is told of where lines are read, and shown where somebody looks")
  func tornPaths() {
    let (plain, torn) = (Array("/a".utf8), Array("/b\n\u{1B}[2J".utf8) + [0xFF])
    var piped = PrintedPaths(nul: false, terminal: Terminal(columns: nil, hasStyles: false))
    #expect(piped.bytes(of: plain) == plain + [0x0A])
    #expect(piped.remark == nil)
    #expect(piped.bytes(of: torn) == torn + [0x0A])
    #expect(piped.remark?.hasPrefix("a path has a line break in it") == true)
    _ = piped.bytes(of: torn)
    #expect(piped.remark?.hasPrefix("2 paths have line breaks in them") == true)
    var ended = PrintedPaths(nul: true, terminal: Terminal(columns: nil, hasStyles: false))
    #expect(ended.bytes(of: torn) == torn + [0])
    #expect(ended.remark == nil)
    var terminal = Terminal(columns: 80, hasStyles: true)
    terminal.isTerminal = true
    var shown = PrintedPaths(nul: false, terminal: terminal)
    #expect(shown.bytes(of: torn) == Array("/b␊␛[2J\u{FFFD}\n".utf8))
    #expect(shown.remark == nil)
  }

  @Test("a text to edit has titles that steer nothing, and its own lines")
  func edited() {
    let text = "crate A\u{202E}\n\talbum aaaa2222aaaa Ti\u{9B}tle\n\t\tsong b \u{202E}x\n"
    #expect(
      EditCommand.harmless(text)
        == "crate A\u{202E}\n\talbum aaaa2222aaaa Ti\u{FFFD}tle\n\t\tsong b \u{FFFD}x\n")
    #expect(EditCommand.harmless("crate A\n\talbum é\n") == "crate A\n\talbum é\n")
    // What only people read is not escaped.
    #expect(
      EditCommand.harmless("crate 100%25\n\talbum a 100%25 Liebe%0A\n\t\tsong b 50%25\n")
        == "crate 100%25\n\talbum a 100% Liebe␊\n\t\tsong b 50%\n")
  }

  @Test("a change says what it did")
  func change() throws {
    let fixture = try CommandFixture()
    let outcome = try fixture.run("rename", "jazz", "Blue", "--if-sequence", "7")
    #expect(outcome.output == "move album to top of Jazz\n  a note\n")
    #expect(fixture.changes == [.renameCrate(crate: "Jazz", name: "Blue", sequence: 7)])
    #expect(try fixture.run("rename", "kind2", "Blue").status == 1)
  }

  @Test(
    "refusals have their exit status and one line on standard error",
    arguments: [
      (.outdated(sequence: 9), 75), (.changesRefused(reason: "the disk is full"), 75),
      (.outcomeUnknown(reason: "x"), 75), (.tooManyClients(limit: 64), 75),
      (.invalidPlace(reason: "x"), 1), (.notOneAlbum(songs: []), 1),
      (.unknown(name: "org.crated.Crates.New", parameters: ["a": 1]), 1),
    ] as [(InterfaceError, Int32)])
  func refusals(error: InterfaceError, status: Int32) throws {
    let outcome = try CommandFixture(refusing: error).run("move", "1979", "up")
    #expect(
      outcome == .init(status: status, output: "", errors: "crate: \(error.message)\n"))
  }

  @Test("a daemon that does not run is named with the command that starts it")
  func notRunning() throws {
    let line =
      "crate: crated is not running; start it with: systemctl --user start crated"
      + " (if that fails: journalctl --user -u crated)\n"
    let absent = ["--socket", "/nonexistent/socket"]
    #expect(
      try CommandFixture.run(["list"] + absent) == .init(status: 69, output: "", errors: line))
    let elsewhere = try CommandFixture.run(
      ["status"], environment: ["XDG_RUNTIME_DIR=/nonexistent"])
    #expect(elsewhere == .init(status: 69, output: "", errors: line))
    #expect(try CommandFixture.run(["status"]).status == 69)
  }

  @Test(
    "wrong use is told in one line",
    arguments: [["fly"], ["list", "--fly"], ["rename", "x"], ["paths"], ["move"]])
  func wrongUse(arguments: [String]) throws {
    let outcome = try CommandFixture.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasPrefix("crate: "))
    #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test("help and version are no failure", arguments: [["--help"], ["--version"], ["move", "-h"]])
  func help(arguments: [String]) throws {
    let outcome = try CommandFixture.run(arguments)
    #expect(outcome.status == 0)
    #expect(!outcome.output.isEmpty)
    // The option is every command's, and told once.
    #expect(outcome.output.contains("--socket") == (arguments == ["--help"]))
  }

  @Test("watch prints a line for each change and ends when the daemon does")
  func watch() throws {
    let outcome = try CommandFixture().run("watch")
    let line = "2026-01-02 03:04:05  move album to top of Jazz (a note)\n"
    #expect(outcome.output == line + line)
    #expect(outcome.status == 69)
    #expect(outcome.errors == "crate: crated has stopped; --follow waits for it\n")
    #expect(try CommandFixture().run("watch", "--json").lines.count == 3)
  }

  @Test("sync and rescan wait, and draw no bar into a file")
  func progress() throws {
    let fixture = try CommandFixture()
    let done = CommandFixture.Outcome(status: 0, output: "up to date, at change 8\n", errors: "")
    var leaving = done
    leaving.errors = "left out: /nas is offline: it isn't mounted\n"
    #expect(try fixture.run("sync") == leaving)
    #expect(try fixture.run("rescan", "/music//a/../b/.") == done)
    #expect(fixture.changes == [.sync, .rescan(path: "/music/b")])
    #expect(try fixture.run("sync", "--json").lines.count == 2)
  }

  @Test(
    "rescan says how many songs it found to be gone",
    arguments: [(1, "1 song is gone now"), (3, "3 songs are gone now")])
  func rescanned(gone: Int, words: String) throws {
    var library = FakeLibrary()
    library.goneByRescan = gone
    let outcome = try CommandFixture(library).run("rescan", "/music")
    #expect(outcome.output == "up to date, at change 8\n" && outcome.status == 0)
    #expect(
      outcome.errors == "crate: \(words); places are kept, and crate list --gone shows them\n")
    #expect(try CommandFixture(library).run("rescan", "--json").errors.isEmpty)
  }

  @Test("an empty history of a damaged store says why, and nothing else is refused for it")
  func hiddenHistory() throws {
    var library = FakeLibrary()
    library.storeReason = "journal.2.txt can't be understood"
    let fixture = try CommandFixture(library)
    let outcome = try fixture.run("history")
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(
      outcome.errors == "crate: no change is listed: journal.2.txt can't be understood\n")
    #expect(try fixture.run("show", "Kind of Blue").status == 0)
    #expect(try CommandFixture().run("history").status == 0)
  }

  @Test("a reader that has enough ends the program quietly")
  func brokenPipe() throws {
    let titles = (0..<3_000).map { (id: "aaaa\($0)", title: String(repeating: "x", count: 100)) }
    let fixture = try CommandFixture(FakeLibrary(crate: "Long", albums: titles))
    let program = try CommandFixture.program
    let folder = try TemporaryFolder()
    let directory = folder.path
    let command = """
      { '\(program)' list Long --socket '\(fixture.socket)' 2>'\(directory)/errors'; \
      echo $? >'\(directory)/status'; } | head -n 1 >/dev/null
      # A slow machine may be told of.
      test "$(cat '\(directory)/status')" = 0 &&
        test -z "$(grep -v 'does not answer yet' '\(directory)/errors')"
      """
    withExtendedLifetime(folder) { #expect(system(command) == 0) }
  }
}
