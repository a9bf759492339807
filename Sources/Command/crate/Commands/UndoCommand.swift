import Arguments
import CratesInterface

struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back what you did last, or one change.",
    discussion: """
      Only your own changes; what the music folder brought since stays. `crate undo 3` takes back \
      three, as one change, and `crate redo 3` does them again. `crate undo --only 948` takes back \
      change 948 of `crate history` alone and keeps what you did since; `crate undo --to 951` \
      brings back the order as it was right after change 951, with what you took back since then.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var change: ChangeOptions
  @Option(
    help: ArgumentHelp(
      "Go back to the order right after this change.", valueName: "change"))
  var to: Int?
  @Option(
    help: ArgumentHelp(
      "Take back this change alone, and keep what you did since.", valueName: "change"))
  var only: Int?
  @Argument(
    help: ArgumentHelp("How many changes to take back (default: 1).", valueName: "n"))
  var count: Int?

  func validate() throws {
    try Steps.check(count, to)
    if let only {
      guard count == nil, to == nil else { throw ValidationError("--only stands alone") }
      guard only >= 0 else { throw ValidationError("--only takes the number of a change") }
    }
  }

  func run() throws {
    let call = Call.undo(
      count: count, to: to, only: only, sequence: change.sequence, dryRun: change.isTrial)
    let answer = try DaemonConnection(common).parameters(of: call) { error in
      switch (only, error) {
      case (let only?, .invalidParameter):
        "change \(only) is none of yours, or too long ago; see: crate history --mine"
      case (let only?, .nothingToUndo): "nothing is left of change \(only) to be taken back"
      default: nil
      }
    }
    try Changes.show(answer, json: common.json)
    if change.isTrial || common.json { return }
    if only != nil { Output.line("  crate undo takes this back") }
    if let count, count > 1 { Output.line("  crate redo \(count) does them again") }
    Output.flush()
  }
}

struct RedoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Do again what you took back last.",
    discussion: "`crate redo 3` does three again, as one change.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var change: ChangeOptions
  @Argument(
    help: ArgumentHelp("How many changes to do again (default: 1).", valueName: "n"))
  var count: Int?

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
