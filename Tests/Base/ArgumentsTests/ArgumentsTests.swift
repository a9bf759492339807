import TestSupport
import Testing

@testable import Arguments

private struct Common: ParsableArguments {
  @Flag(help: "As JSON.") var json = false
  @Option(help: ArgumentHelp("Hidden.", visibility: .hidden)) var socket: String?
  @Option(name: .customLong("if-sequence"), help: ArgumentHelp("Refuse.", valueName: "n"))
  var sequence: Int?

  func validate() throws {
    if let sequence, sequence < 0 { throw ValidationError("--if-sequence takes 0 or more") }
  }
}

private struct Find: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "find", abstract: "Find words.")

  @OptionGroup var common: Common
  @Option(name: .shortAndLong, help: ArgumentHelp("So many.", valueName: "n")) var limit = 20
  @Flag(name: .customShort("0"), help: "End with NUL.") var endsWithNul = false
  @Argument(help: "Where.") var place: String
  @Argument(help: "What.") var words: [String]

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit takes 0 or more") }
  }
}

private struct Listing: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List.", usage: "tool list [ALL]\ntool list NONE",
    discussion: "Some words on it.", takesDashedWords: true)

  @Flag(name: .customShort("p"), help: "P.") var isShort = false
  @Option(name: .customShort("n"), help: "N.") var count: Int?
  @Argument(help: "One.") var one: String?
  @Argument(help: "More.") var more: [String] = []
}

private struct Tool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tool", abstract: "A tool.", version: "1.2",
    subcommands: [Find.self, Listing.self])

  @Option(help: "A file.") var configFile: String?
  @Flag(name: .shortAndLong, help: "Say more.") var verbose: Int
}

private struct Group: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "group", abstract: "Verbs.", version: "1", subcommands: [Find.self],
    needsSubcommand: true)
}

@Suite("A command line", .limited)
struct ArgumentsTests {
  private func command<Command: ParsableCommand>(
    _ line: String, as type: Command.Type, _ location: SourceLocation = #_sourceLocation
  ) throws -> Command {
    guard case .run(let command) = try Tool.request(words(line)), let found = command as? Command
    else { throw ValidationError("another command than \(type)") }
    return found
  }

  private func words(_ line: String) -> [String] { line.split(separator: " ").map { String($0) } }

  private func text(_ line: String) throws -> String {
    guard case .show(let text) = try Tool.request(words(line)) else {
      throw ValidationError("a command that runs")
    }
    return text
  }

  @Test(
    "means the same, however its options are written and wherever they stand",
    arguments: [
      "find -l 5 --json -0 here a b", "find --limit=5 here --json a -0 b",
      "find here a b -0l5 --json",
      "find here a b --limit 5 --json -0 -0", "find -l 9 -l=5 --json -0 -- here a b",
      "--verbose find --json here -0 -l 5 a b",
    ])
  func forms(line: String) throws {
    let find = try command(line, as: Find.self)
    #expect(find.limit == 5 && find.endsWithNul && find.common.json)
    #expect(find.common.socket == nil && find.common.sequence == nil)
    #expect(find.place == "here" && find.words == ["a", "b"])
  }

  @Test("has its defaults where nothing is said, and no command's values are another's")
  func defaults() throws {
    _ = try command("find -l 5 --json x y", as: Find.self)
    let find = try command("find x y", as: Find.self)
    #expect(find.limit == 20 && !find.endsWithNul && !find.common.json)
    let list = try command("list", as: Listing.self)
    #expect(list.one == nil && list.more == [])
    let more = try command("list - -- -a --", as: Listing.self)
    #expect(more.one == "-" && more.more == ["-a", "--"])
    let tool = try command("-vv --config-file=a -v", as: Tool.self)
    #expect(tool.verbose == 3 && tool.configFile == "a")
    #expect(try Common.parse(["--socket", "/x"]).socket == "/x")
    let front = try command("--verbose -l 5 --json find a b", as: Find.self)
    #expect(front.limit == 5 && front.common.json && front.words == ["b"])
    #expect(try command("-l5 find a b", as: Find.self).limit == 5)
    // Words with a dash in front, where they can't be options.
    let dashed = try command("list -pn5 a -miles -pink -n3", as: Listing.self)
    #expect(dashed.isShort && dashed.count == 3 && dashed.one == "a")
    #expect(dashed.more == ["-miles", "-pink"])
    let ends = try command("find a -1 -3- -2,4 -artist:zoe -last-2 -0", as: Find.self)
    #expect(ends.words == ["-1", "-3-", "-2,4", "-artist:zoe", "-last-2"] && ends.endsWithNul)
  }

  @Test(
    "that is none is refused, and told why",
    arguments: [
      ("fnd x", "there is no command “fnd”; did you mean find?"),
      ("hlep", "there is no command “hlep”; did you mean help?"),
      ("--limit", "there is no option --limit"), ("-l", "there is no option -l"),
      ("list a --json", "there is no option --json"), ("--json list", "there is no option --json"),
      ("x", "there is no command “x”"), ("help x", "there is no command “x”"),
      ("find x y --jsno", "there is no option --jsno; did you mean --json?"),
      ("find x y --sockets", "there is no option --sockets"),
      ("find x y -q", "there is no option -q"), ("find x y -0q", "there is no option -q"),
      ("--socket /x find", "PLACE is missing"), ("--none find x y", "there is no option --none"),
      ("--limit find x y", "there is no command “x”"),
      ("--socket /x", "there is no option --socket"),
      ("find x y --json=1", "--json takes no value"),
      ("find x y -l", "-l needs a value: -l N"),
      ("find x y --limit=", "--limit needs a value: --limit N"),
      ("find x y --limit -1", "--limit needs a value: --limit N"),
      ("find x y --limit=z", "--limit can't be “z”"),
      ("find x y --limit=-1", "--limit takes 0 or more"),
      ("find x y --if-sequence=-1", "--if-sequence takes 0 or more"),
      ("find", "PLACE is missing"), ("find x", "WORDS… is missing"),
      ("--verbose=1", "--verbose takes no value"),
    ])
  func wrong(line: String, expected: String) throws {
    let error = try #require(
      #expect(throws: ValidationError.self) { try Tool.request(words(line)) })
    #expect(error.description == expected)
  }

  @Test("may ask for help, whatever else it says")
  func help() throws {
    #expect(
      try text("--help") == """
        A tool.

        Usage: tool [--config-file CONFIG-FILE] [--verbose] COMMAND

        Options:
          --config-file CONFIG-FILE
                                  A file.
          -v, --verbose           Say more.
          --version               Show the version.
          -h, --help              Show help information.

        Commands:
          find                    Find words.
          list                    List.

        tool help COMMAND explains one of them.

        """)
    #expect(try text("help") == text("-h"))
    #expect(try text("help help") == text("-h"))
    #expect(try text("-h find") == text("-h"))
    #expect(try text("help find list") == text("help find"))
    #expect(try text("help -v help find") == text("help find"))
    #expect(try text("-v help list") == text("list -h"))
    let find = try text("find --nonsense -h")
    #expect(find == (try text("help find")))
    #expect(
      find.contains(
        "Usage: tool find [--json] [--if-sequence N] [--limit N] [-0] PLACE WORDS…\n"))
    #expect(find.contains("\n  -l, --limit N           So many. (default: 20)\n"))
    #expect(!find.contains("--socket"))
    #expect(try text("find --help-hidden").contains("  --socket SOCKET         Hidden.\n"))
    #expect(
      try text("list --help").hasPrefix(
        "List.\n\nSome words on it.\n\nUsage: tool list [ALL]\n       tool list NONE\n"))
    #expect(try text("find --version") == "1.2\n")
    // Behind two dashes they are words.
    #expect(try command("list -- --help", as: Listing.self).one == "--help")
    guard case .show(let verbs) = try Group.request([]) else {
      Issue.record("a group of verbs runs by itself")
      return
    }
    #expect(verbs.contains("  find                    Find words.\n"))
  }

  @Test("has lines that fit a terminal, and no word is lost")
  func wrapping() throws {
    let text = (0..<60).map { "word\($0)" }.joined(separator: " ")
    let wrapped = HelpText.wrapped(text, indent: 26)
    let lines = wrapped.split(separator: "\n").map(\.count)
    #expect(lines.allSatisfy { $0 < 80 } && lines.dropLast().allSatisfy { $0 > 70 })
    #expect(wrapped.split { $0 == " " || $0 == "\n" }.joined(separator: " ") == text)
    // A word that fits no line has one of its own, without an empty one before it.
    let long = String(repeating: "x", count: 100)
    #expect(HelpText.wrapped(long, indent: 2) == "  " + long)
    #expect(HelpText.wrapped("a \(long) b", indent: 2) == "  a\n  \(long)\n  b")
  }

  @Test("has options that completions can offer")
  func options() {
    let options = Find.options()
    #expect(
      options.map(\.names) == [
        ["--json"], ["--if-sequence"], ["-l", "--limit"], ["-0"], ["--version"], ["-h", "--help"],
      ])
    #expect(options.map(\.valueName) == [nil, "n", "n", nil, nil, nil])
    #expect(Find.options(includingHidden: true).count == 7)
  }
}
