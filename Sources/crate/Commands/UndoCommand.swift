import Arguments
import CratesInterface

struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back what you did last.",
    discussion: "Only your own changes; what the music folder brought since stays.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var change: ChangeOptions

  func run() throws {
    let call = Call.undo(sequence: change.sequence)
    try Changes.show(try Daemon(common).parameters(of: call), json: common.json)
  }
}

struct RedoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Do again what you took back last.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var change: ChangeOptions

  func run() throws {
    let call = Call.redo(sequence: change.sequence)
    try Changes.show(try Daemon(common).parameters(of: call), json: common.json)
  }
}
