import Arguments
import CratesInterface

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show what was done, by you and by the music folder.",
    discussion: """
      The newest first, each with its number, which `crate undo --to` takes. In a pipe each is a \
      line of number, time, who and what, with tabs between them.
      """)

  @OptionGroup var common: CommonOptions
  @Option(name: .custom("n", "limit"), help: ArgumentHelp("So many changes.", valueName: "n"))
  var limit = 20
  @Option(help: ArgumentHelp("Only changes before this one.", valueName: "n"))
  var before: Int?
  @Flag(help: "Show all that is noted of a change.") var all = false

  /// Changes in one answer of crated.
  private static let atOnce = 100

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit takes 0 or more") }
    if let before, before < 0 { throw ValidationError("--before takes the number of a change") }
  }

  func run() throws {
    let daemon = try DaemonConnection(common)
    var lines: [String] = []
    var left = limit
    var before = before
    while left > 0 {
      let call = Call.history(limit: min(left, Self.atOnce), before: before)
      let objects = try daemon.parameters(of: call)["changes"]?.array ?? []
      for object in objects {
        let change: Interface.Change = try DaemonConnection.structure(object)
        before = change.sequence
        if common.json {
          Output.line(object)
        } else if Terminal.output.isTerminal {
          lines += self.lines(of: change)
        } else {
          Output.line(
            LeanLine.line([
              String(change.sequence), Shown.time(change.time), Shown.author(of: change),
              change.summary,
            ]))
          for note in all ? change.notes : [] { Output.line("    \(Shown.harmless(note))") }
        }
      }
      if objects.count < min(left, Self.atOnce) { break }
      left -= objects.count
    }
    Pager.show(lines)
    Output.flush()
  }

  private func lines(of change: Interface.Change) -> [String] {
    let when = "\(change.sequence)  \(Shown.time(change.time))  \(Shown.author(of: change))  "
    return [Terminal.output.dim(when) + Shown.harmless(change.summary)]
      + Changes.noteLines(change.notes, indent: 4, all: all)
  }
}
