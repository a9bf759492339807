import Arguments
import CratesInterface

struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back what you did last, or one change.",
    discussion: """
      Only your own changes; what the music folder brought since stays. `crate undo 3` takes back \
      three, as one change, and `crate redo 3` does them again. `crate undo --only 948` takes back \
      change 948 of `crate history` alone and keeps what you did since; `crate undo --to 951` \
      brings back the order as it was right after change 951, with what you took back since then, \
      and says what undoes that.
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
      count: count, to: to, only: only, sequence: change.sequence, dryRun: change.isDryRun)
    let daemon = try DaemonConnection(common)
    let answer = try daemon.parameters(of: call) { error in
      switch (error, to, only) {
      case (.invalidParameter, let to?, _): Self.absence(of: to, daemon)
      case (.invalidParameter, _, let only?):
        "change \(only) is none of yours, or too long ago; see: crate history --mine"
      case (.nothingToUndo, _, let only?): "nothing is left of change \(only) to be taken back"
      case (.nothingToUndo, let to?, _): "nothing was done since change \(to)"
      default: nil
      }
    }
    try Changes.show(answer, json: common.json)
    if change.isDryRun || common.json { return }
    if let count, count > 1 { Output.line("  crate redo \(count) does them again") }
    if only != nil { Output.line("  crate undo takes this back") }
    if to != nil { Output.line("  \(try Self.wayBack(from: answer, daemon))") }
    Output.flush()
  }

  /// The number of changes to search for the nearest numbers.
  private static let changesMost = 500

  /// Returns the message for a number that no change has.
  private static func absence(of number: Int, _ daemon: DaemonConnection) -> String? {
    guard
      case .changes(let changes)? = try? daemon.reply(
        to: .history(limit: changesMost, before: nil)),
      let newest = changes.first
    else { return nil }
    if number > newest.sequence {
      return "there is no change \(number) yet; the newest is \(newest.sequence)"
    }
    let near = [
      changes.first { $0.sequence < number }, changes.last { $0.sequence > number },
    ].compactMap { $0.map { "\($0.sequence)" } }
    return "there is no change \(number); the nearest \(near.count == 1 ? "is" : "are")"
      + " \(near.joined(separator: " and ")); crate history shows all of them"
  }

  /// Parses the number of changes in the summary of an undo: “Taken back, 3 changes: …”.
  static func steps(in sentence: String) -> Int {
    let opening = sentence.prefix { $0 != ":" }
    return Int(opening.split(separator: " ").first { $0.allSatisfy(\.isNumber) } ?? "") ?? 1
  }

  /// Returns the command that reverts `undo --to`. If more than single changes were undone, the
  /// undo is itself an ordinary change.
  private static func wayBack(
    from answer: JSON, _ daemon: DaemonConnection
  ) throws(Failure) -> String {
    let sentence = answer["change"]?["summary"]?.string ?? ""
    let steps = steps(in: sentence)
    // Going back to an earlier change may redo changes.
    if sentence.hasPrefix("Done again") {
      return steps > 1 ? "crate undo \(steps) takes them back" : "crate undo takes this back"
    }
    if steps > 1 { return "crate redo \(steps) does them again" }
    let redo = Call.redo(count: 1, sequence: nil, dryRun: true)
    let isStep = (try? daemon.reply(to: redo)) != nil
    return isStep ? "crate redo does it again" : "crate undo takes this back"
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
    let call = Call.redo(count: count, sequence: change.sequence, dryRun: change.isDryRun)
    try Changes.show(try DaemonConnection(common).parameters(of: call), json: common.json)
  }
}

/// The number of steps to undo or redo.
private enum Steps {
  static func check(_ count: Int?, _ to: Int?) throws(ValidationError) {
    if let count, count < 1 { throw ValidationError("say how many changes, from 1 up") }
    if let to, to < 0 { throw ValidationError("--to takes the number of a change") }
    if count != nil, to != nil {
      throw ValidationError("say how many changes, or up to which one, but not both")
    }
  }
}
