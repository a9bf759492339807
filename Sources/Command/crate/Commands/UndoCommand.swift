import Arguments
import CratesInterface

struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back what you did last.",
    discussion: """
      Only your own changes; what the music folder brought since stays. `crate undo 3` takes back \
      three, as one change, and `crate undo --to 951` brings back the order as it was right after \
      change 951 of `crate history`, with what you took back since then.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var change: ChangeOptions
  @Option(
    help: ArgumentHelp("Back to how it was right after this change.", valueName: "change"))
  var to: Int?
  @Argument(help: ArgumentHelp("How many of your changes: 1.", valueName: "n")) var count: Int?

  func validate() throws { try Steps.check(count, to) }

  func run() throws {
    let call = Call.undo(
      count: count, to: to, sequence: change.sequence, dryRun: change.isTrial)
    try Changes.show(try DaemonConnection(common).parameters(of: call), json: common.json)
  }
}

struct RedoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Do again what you took back last.",
    discussion: "`crate redo 3` does three again, as one change.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var change: ChangeOptions
  @Argument(help: ArgumentHelp("How many changes: 1.", valueName: "n")) var count: Int?

  func validate() throws { try Steps.check(count, nil) }

  func run() throws {
    let call = Call.redo(count: count, sequence: change.sequence, dryRun: change.isTrial)
    try Changes.show(try DaemonConnection(common).parameters(of: call), json: common.json)
  }
}

/// How far to go back or forth.
private enum Steps {
  static func check(_ count: Int?, _ to: Int?) throws(ValidationError) {
    if let count, count < 1 { throw ValidationError("say how many changes, from 1 up") }
    if let to, to < 0 { throw ValidationError("--to takes the number of a change") }
    if count != nil, to != nil {
      throw ValidationError("say how many changes, or up to which one, but not both")
    }
  }
}
