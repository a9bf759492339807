import Arguments
import CratesInterface
import Glibc
import Platform

/// The command line client of the daemon.
@main
struct Crate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crate",
    abstract: "Your music in crates, in the order you chose.",
    discussion: """
      WHAT names crates, albums or songs: a name, an id or the first four letters of one, then \
      positions one level down: `Jazz`, `Jazz 3-7`, `Jazz -1`, `Jazz 3 1`, `5kqv`. Titles need no \
      quotes where they are clear. `crate:`, `album:`, `song:` and `id:` in front say which is \
      meant; `find:WORDS` is all albums that are found, `./FOLDER` is a path, and `-` reads names, \
      ids, paths or what list and find print from standard input, one a line.

      Every command but browse takes `--json`, and each `--socket PATH` for a daemon at another \
      socket.
      """,
    version: softwareVersion,
    subcommands: [
      BrowseCommand.self, WebCommand.self, ListCommand.self, FindCommand.self, ShowCommand.self,
      PlayCommand.self, PathsCommand.self, ArtCommand.self,
      MoveCommand.self, RenameCommand.self, SortCommand.self, EditCommand.self, ImportCommand.self,
      ForgetCommand.self,
      UndoCommand.self, RedoCommand.self, HistoryCommand.self, WatchCommand.self, SyncCommand.self,
      RescanCommand.self, MachinesCommand.self, StatusCommand.self, ProblemsCommand.self,
    ])

  @OptionGroup var common: CommonOptions

  /// Without a command, shows a summary of the library on a terminal.
  func run() throws {
    guard Terminal.output.isTerminal, !common.json else {
      Output.bytes(Array(Self.helpText.utf8))
      return Output.flush()
    }
    try Overview(try DaemonConnection(common)).show()
  }

  private static func understood(_ words: [String]) throws -> CommandRequest {
    do {
      return try request(words)
    } catch let error as ValidationError {
      guard let name = error.unknownCommand, let meant = try HabitWords.request(name, words) else {
        throw error
      }
      return meant
    }
  }

  static func main() {
    // If the reader closes the pipe early, `Output` ends the program silently.
    signal(SIGPIPE, SIG_IGN)
    let words = (1..<max(1, Int(CommandLine.argc))).compactMap { place in
      CommandLine.unsafeArgv[place].map { word in
        FileAddress.word(
          UnsafeBufferPointer(start: word, count: strlen(word)).map { UInt8(bitPattern: $0) })
      }
    }
    do {
      do throws(SystemCallError) {
        try fillStandardDescriptors()
      } catch {
        throw Failure.refused("\(error)")
      }
      try Completing.answer(words)
      switch try understood(words) {
      case .run(let command): try command.run()
      case .show(let text):
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        Pager.show(lines.dropLast(lines.last == "" ? 1 : 0))
      }
    } catch let failure as Failure {
      failure.end()
    } catch {
      let command =
        configuration.subcommands.map { $0.configuration.commandName }
        .first { $0 == words.first }.map { "\($0) " } ?? ""
      Failure.wrongUse("\(error) (`crate \(command)--help` tells more)").end()
    }
  }
}

/// The options of all commands.
struct CommonOptions: ParsableArguments {
  @Flag(help: "Print one JSON object a line, with the interface's own field names.")
  var json = false

  @Option(help: ArgumentHelp("The daemon's socket.", visibility: .hidden))
  var socket: String?
}

/// The options of all commands that change something.
struct ChangeOptions: ParsableArguments {
  @Option(
    name: .customLong("if-sequence"),
    help: ArgumentHelp(
      "Refuse, with exit status 75, if the library has changed since change N.", valueName: "n"))
  var sequence: Int?

  @Flag(name: .customLong("dry-run"), help: "Say what it would do, and do nothing.")
  var isDryRun = false

  func validate() throws {
    if let sequence, sequence < 0 { throw ValidationError("--if-sequence takes 0 or more") }
  }
}
