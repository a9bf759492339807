import Arguments
import CratesInterface

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show what was done, by you and by the music folder.",
    discussion: "The newest first, with the evidence by which songs were recognised.")

  @OptionGroup var common: CommonOptions
  @Option(name: .shortAndLong, help: ArgumentHelp("So many changes.", valueName: "n"))
  var limit = 20
  @Option(help: ArgumentHelp("Only changes before this one.", valueName: "n"))
  var before: Int?

  func run() throws {
    let call = Call.history(limit: limit, before: before)
    for object in try Daemon(common).parameters(of: call)["changes"]?.array ?? [] {
      if common.json {
        Output.line(object)
        continue
      }
      let change: Interface.Change = try Daemon.structure(object)
      let when = "\(change.sequence)  \(Shown.time(change.time))"
      Output.line(
        Terminal.output.dim("\(when)  \(Shown.author(of: change))  ")
          + Shown.harmless(change.summary))
      for note in change.notes { Output.line("    \(Shown.harmless(note))") }
    }
    Output.flush()
  }
}
