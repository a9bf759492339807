import Arguments
import CratesInterface
import VarlinkClient

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print changes as they happen, one a line.")

  @OptionGroup var common: CommonOptions
  @Option(help: ArgumentHelp("Begin with the changes after this one.", valueName: "n"))
  var since: Int?

  func run() throws {
    let daemon = try Daemon(common)
    try daemon.eachReply(to: .watch(since: since)) { parameters throws(Failure) in
      let object = parameters["change"] ?? .null
      let change: Interface.Change = try Daemon.structure(object)
      if common.json {
        Output.line(object)
      } else if change.changed || !change.complete {
        Output.line(Self.text(change))
      }
      Output.flush()
    }
    // The daemon ends the stream only when it stops.
    throw Failure(.closed)
  }

  private static func text(_ change: Interface.Change) -> String {
    let time = Shown.time(change.time)
    let lost = change.complete ? "" : "; more has changed than is told here: look again"
    let summary = change.summary.isEmpty ? "changes" : Shown.harmless(change.summary)
    let notes = change.notes.map { " (\(Shown.harmless($0)))" }.joined()
    let origin = change.origin.map { "by \(Shown.harmless($0))  " } ?? ""
    return "\(time)  \(origin)\(summary)\(notes)\(lost)"
  }
}
