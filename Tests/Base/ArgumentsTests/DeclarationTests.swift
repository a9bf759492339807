import TestSupport
import Testing

@testable import Arguments

/// A command with every kind of declaration.
private struct Every: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "every", abstract: "All kinds.", version: "3")

  @Flag(name: .customLong("quietly"), help: "") var isQuiet = false
  @Option(name: .custom("f", "file"), help: ArgumentHelp("A file.", valueName: "path"))
  var place: String?
  @Option(name: .customShort("x"), help: "A number.") var number = 7
  @Option(name: .shortAndLong, help: "Words.") var wordsWanted: [String]
  @Option(help: ArgumentHelp("", visibility: .hidden)) var times: [Int]
  @Argument(help: ArgumentHelp("How many.", valueName: "count")) var most: Int?
  @Argument(help: "") var others: [Int] = []
}

@Suite("The declarations of a command", .limited)
struct DeclarationTests {
  private func every(_ words: String...) throws -> Every {
    guard case .run(let command) = try Every.request(words), let every = command as? Every else {
      throw ValidationError("a text")
    }
    return every
  }

  private func text(_ words: String...) throws -> String {
    guard case .show(let text) = try Every.request(words) else {
      throw ValidationError("a command that runs")
    }
    return text
  }

  @Test("have the values that are given, the last of what is given twice, and all of a list")
  func values() throws {
    let none = try every()
    #expect(!none.isQuiet && none.place == nil && none.number == 7 && none.most == nil)
    #expect(none.wordsWanted == [] && none.times == [] && none.others == [])
    let all = try every(
      "--quietly", "--quietly", "-w", "a", "5", "--words-wanted", "b", "-wc", "--times=1", "6",
      "--times", "2", "-x", "8", "-x9", "-f", "y", "--file", "z", "7")
    #expect(all.isQuiet && all.place == "z" && all.number == 9 && all.most == 5)
    #expect(all.wordsWanted == ["a", "b", "c"] && all.times == [1, 2] && all.others == [6, 7])
  }

  @Test("have a value that is as it was typed, whatever it has in it")
  func odd() throws {
    for words in [["--file=a=b="], ["--file", "a=b="], ["-fa=b="], ["-f=a=b="], ["-f", "a=b="]] {
      guard case .run(let command) = try Every.request(words) else { continue }
      #expect((command as? Every)?.place == "a=b=", "\(words)")
    }
    #expect(try every("-f", "-", "1").place == "-")
    #expect(try every("--file", "-", "1").place == "-")
    #expect(try every("--file=-x").place == "-x")
    // What might be a position is none where a value is wanted.
    #expect(throws: ValidationError.self) { try every("-x", "-1") }
    #expect(try every("-x=-1").number == -1)
  }

  @Test(
    "refuse what means nothing to them, and say so",
    arguments: [
      (["--file="], "--file needs a value: --file PATH"),
      (["--file=", "a"], "--file needs a value: --file PATH"),
      (["--file"], "--file needs a value: --file PATH"),
      (["-f", "--quietly"], "-f needs a value: -f PATH"),
      (["-f", ""], "-f needs a value: -f PATH"), (["-f="], "-f needs a value: -f PATH"),
      (["-x", "a"], "-x can't be “a”"), (["--times=a"], "--times can't be “a”"),
      (["a"], "COUNT can't be “a”"), (["1", "2", "a"], "OTHERS can't be “a”"),
      (["--quietly="], "--quietly takes no value"), (["-q"], "there is no option -q"),
      (["--hlep"], "there is no option --hlep; did you mean --help?"),
      (["--vresion"], "there is no option --vresion; did you mean --version?"),
      (["--time"], "there is no option --time; did you mean --file?"),
      (["--tines"], "there is no option --tines"),
    ])
  func wrong(words: [String], expected: String) {
    let error = #expect(throws: ValidationError.self) { try Every.request(words) }
    #expect(error?.description == expected)
  }

  @Test("are shown in the order of the source, and the hidden ones only to who asks for them")
  func help() throws {
    let shown = """
      All kinds.

      Usage: every [--quietly] [--file PATH] [-x NUMBER] [--words-wanted WORDS-WANTED] [COUNT] \
      [OTHERS…]

      Arguments:
        COUNT                   How many.
        OTHERS…

      Options:
        --quietly
        -f, --file PATH         A file.
        -x NUMBER               A number. (default: 7)
        -w, --words-wanted WORDS-WANTED
                                Words.
        --version               Show the version.
        -h, --help              Show help information.

      """
    #expect(try text("--help") == shown)
    #expect(Every.helpText == shown)
    let all = shown.replacing("WORDS-WANTED] ", with: "WORDS-WANTED] [--times TIMES] ")
      .replacing("  --version  ", with: "  --times TIMES\n  --version  ")
    #expect(try text("--help-hidden") == all)
    #expect(try text("1", "--version", "--nonsense") == "3\n")
    #expect(try text("--version", "--help-hidden", "-h") == shown)
    #expect(throws: ValidationError.self) { try every("--", "--version") }
  }

  @Test("are offered with what they take")
  func options() {
    let shown = [
      CommandOption(names: ["--quietly"], valueName: nil, about: ""),
      CommandOption(names: ["-f", "--file"], valueName: "path", about: "A file."),
      CommandOption(names: ["-x"], valueName: "number", about: "A number. (default: 7)"),
      CommandOption(names: ["-w", "--words-wanted"], valueName: "words-wanted", about: "Words."),
    ]
    let hidden = [CommandOption(names: ["--times"], valueName: "times", about: "")]
    let always = [
      CommandOption(names: ["--version"], valueName: nil, about: "Show the version."),
      CommandOption(names: ["-h", "--help"], valueName: nil, about: "Show help information."),
    ]
    #expect(Every.options() == shown + always)
    #expect(Every.options(includingHidden: true) == shown + hidden + always)
  }

  @Test("are options if a dash is in front, unless it is a position or leaves something out")
  func optionWords() {
    let options = [
      "--", "--x", "--1", "-x", "-0", "-00", "-,", "-last", "-last,", "-1a", "-a1", "-:x", "-a-b",
      "-a b:c", "-1:2", "-/", "-1.", "-:",
    ]
    for word in options { #expect(isOptionWord(word), "\(word)") }
    let others = [
      "", "-", "x", "1", "x-", "-1", "-9", "-10", "-01", "-3-", "-2,4", "-5--2", "-last-2",
      "-2,last", "-artist:zoe", "-é:", "-a:b:c",
    ]
    for word in others { #expect(!isOptionWord(word), "\(word)") }
  }

  @Test("are shown in two columns, of which the second is below where the first is wide")
  func columns() {
    struct Wide: ParsableCommand {
      static let configuration = CommandConfiguration(commandName: "wide", abstract: "")
      @Argument(help: ArgumentHelp("A", valueName: String(repeating: "a", count: 22)))
      var fits: String
      @Argument(help: ArgumentHelp("B", valueName: String(repeating: "b", count: 23)))
      var doesNot: String
    }
    let (fits, wide) = (String(repeating: "A", count: 22), String(repeating: "B", count: 23))
    let blanks = String(repeating: " ", count: 26)
    #expect(
      Wide.helpText.contains("\nArguments:\n  \(fits)  A\n  \(wide)\n\(blanks)B\n\nOptions:"))
  }

  @Test("have lines of 79 columns, and none of 80")
  func lines() {
    let (forty, more) = (String(repeating: "a", count: 40), String(repeating: "b", count: 38))
    #expect(HelpText.wrapped("\(forty) \(more)") == "\(forty) \(more)")
    #expect(HelpText.wrapped("\(forty) b\(more)") == "\(forty)\nb\(more)")
    #expect(HelpText.wrapped("a\n\nb", indent: 1) == " a\n \n b")
  }
}
