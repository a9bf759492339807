import CratesInterface
import TestSupport
import Testing

@Suite("What is offered while a command is typed", .limited)
struct CompletingTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  /// What may stand behind this, as fish is told.
  private func offered(_ words: String, _ current: String = "") throws -> [String] {
    let rest = words.drop { $0 != " " }
    let verb = words.dropLast(rest.count)
    let line = "crate \(verb) --socket \(fixture.socket)\(rest) \(current)"
    let outcome = try CommandFixture.completed("fish", [line])
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    return outcome.lines.compactMap { $0.split(separator: "\t").first.map(String.init) }
  }

  @Test("Each name means one thing, and that is what it is offered for")
  func names() throws {
    let names = try offered("list")
    #expect(
      names == [
        "Jazz", "Rock  Music", "crate:Both", "Kind of Blue", "album:Both", "album:top",
        "kind3333bbbb", "東京の夜 🎷", "hits2222aaaa", "1979", "Jazz Club",
      ])
    for name in names {
      #expect(try fixture.run("move", name, "top").status == 0, "\(name)")
    }
    let calls = fixture.changes
    #expect(calls.count == names.count)
    let crates = calls.compactMap {
      if case .moveCrate(let crate, _, _, _) = $0 { crate } else { nil }
    }
    #expect(crates == ["Jazz", "Rock  Music", "Both"])
    let albums = calls.flatMap { call -> [String] in
      if case .moveAlbums(let albums, _, _, _, _, _) = call { albums } else { [] }
    }
    #expect(albums.count == 8)
    #expect(Set(albums).count == 8)
  }

  @Test("Behind a name, a title of digits is offered as an album and not as a position")
  func digits() throws {
    #expect(try offered("list Jazz").contains("album:1979"))
    #expect(try !offered("list Jazz").contains("1979"))
  }

  @Test(
    "What follows depends on the words before",
    arguments: [
      ("move Jazz to", "", ["Jazz", "Rock  Music", "Both"]),
      ("move Jazz to Both", "", ["top", "bottom", "before", "after"]),
      ("move Jazz top", "", []), ("move Jazz", "t", ["to", "top"]),
      ("move Jazz", "T", ["to", "top"]), ("sort Jazz", "b", ["by"]),
      ("sort Jazz by", "re", ["released", "reversed"]),
      ("rename", "", ["Jazz", "Rock  Music", "Both"]),
      ("sort Jazz by year", "", ["oldest", "newest", "ascending", "descending"]),
      ("sort Jazz", "sh", ["shuffled"]), ("sort Jazz by title", "", ["ascending", "descending"]),
      ("move Jazz -1", "t", ["to", "top"]), ("list", "./", ["//files"]),
      ("rename", "rock\\ muſ", ["Rock  Music"]), ("rename", "jazz\\ ", []), ("rename Jazz", "", []),
      ("undo", "", []), ("undo --if-sequence", "", []),
      ("history --since", "", ["today", "yesterday"]), ("history --crate", "J", ["Jazz"]),
      ("watch --since", "", []),
      ("undo", "--i", ["--if-sequence"]), ("undo --if-sequence 3", "--i", []),
      ("list --", "-", []), ("edit --from", "", ["//files"]), ("rescan", "", ["//files"]),
      ("import", "", ["mpd", "strawberry", "clementine", "mixxx", "rhythmbox"]),
      ("import", "m", ["mpd", "mixxx"]), ("import", "list", ["//files"]),
      ("import", "./m", ["//files"]), ("import a", "", []), ("import --as", "", []),
      ("browse --covers", "", ["none", "blocks", "sixel", "kitty"]),
      ("list Jazz", "la", ["last"]), ("play Jazz -1", "la", ["last"]), ("list", "la", []),
      ("list", "id:h", ["id:hits2222aaaa"]), ("list", "album:Jazz", ["album:Jazz Club"]),
      ("list", "crate:", ["crate:Jazz", "crate:Rock  Music", "crate:Both"]),
      ("list", "kind", ["Kind of Blue"]), ("list", "KIND", ["Kind of Blue"]),
      ("list", "bath", ["bath2222aaaa"]), ("--json list", "jazz\\ c", ["Jazz Club"]),
    ] as [(String, String, [String])])
  func follows(words: String, current: String, expected: [String]) throws {
    #expect(try offered(words, current) == expected)
  }

  @Test(
    "A line is read as bash reads it, and answered for the end that bash replaces",
    arguments: [
      ("crate list Kind", "Kind", ["Kind\\ of\\ Blue"]),
      ("crate list Kind\\", "Kind\\", ["Kind\\ of\\ Blue"]),
      ("crate list \"Kind o", "Kind o", ["Kind of Blue"]),
      ("crate list Kind' o", " o", [" of Blue"]),
      ("crate list album:Jazz\\ ", "Jazz\\ ", ["Jazz\\ Club"]),
      ("make; NO_COLOR=1 ~/bin/crate list Kind", "Kind", ["Kind\\ of\\ Blue"]),
      ("echo $(crate list Kind", "Kind", ["Kind\\ of\\ Blue"]),
      ("crate sta", "sta", ["status"]), ("crate list KIND", "KIND", ["Kind\\ of\\ Blue"]),
      ("crate list Kind", "elsewhere", []),
    ])
  func bash(line: String, replaced: String, expected: [String]) throws {
    let named = line.replacing("crate list", with: "crate list --socket \(fixture.socket)")
    #expect(try CommandFixture.run(["--complete", "bash", named, replaced]).lines == expected)
  }

  /// Titles that a shell would make something else of.
  private static let odd = FakeLibrary(
    crate: "Odd",
    albums: [
      ("tick2222aaaa", "Tick `date` \"x\" $HOME \\ !"), ("line2222aaaa", "Lines\nTick"),
      ("turn2222aaaa", "\u{202E}Turned"), ("bell2222aaaa", "Bell\u{9B}2J"),
    ])

  @Test(
    "Nothing in a name is anything to bash, within quotes of either kind and without",
    arguments: [
      ("Tick", #"Tick\ \`date\`\ \"x\"\ \$HOME\ \\\ \!"#),
      ("\"Tick", #"Tick \`date\` \"x\" \$HOME \\ !"#),
      ("'Tick", #"Tick `date` "x" $HOME \ !"#),
    ])
  func quoting(typed: String, expected: String) throws {
    let fixture = try CommandFixture(Self.odd)
    let line = "crate list --socket \(fixture.socket) \(typed)"
    let replaced = String(typed.drop { !$0.isLetter })
    #expect(try CommandFixture.run(["--complete", "bash", line, replaced]).lines == [expected])
  }

  @Test("Names that would be several lines, or steer the terminal, are not offered")
  func steering() throws {
    let fixture = try CommandFixture(Self.odd)
    for shell in ["bash", "fish"] {
      let line = "crate list --socket \(fixture.socket) "
      let output = try CommandFixture.run(["--complete", shell, line, ""]).output
      #expect(output.contains("Tick"))
      #expect(output.split(separator: "\n").count == 2, "\(output)")
      #expect(!output.unicodeScalars.contains { $0 != "\n" && $0 != "\t" && $0.isSteering })
    }
  }

  @Test("A script is printed for each shell, and for no other")
  func scripts() throws {
    for shell in ["bash", "zsh", "fish"] {
      let outcome = try CommandFixture.run(["--generate-completion-script", shell])
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("crate --complete \(shell)"))
      #expect(try CommandFixture.run(["--generate-completion-script=\(shell)"]) == outcome)
    }
    let outcome = try CommandFixture.run(["--generate-completion-script", "csh"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("bash, zsh, fish"))
  }
}
