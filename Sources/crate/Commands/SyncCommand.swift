import Arguments
import CratesInterface

struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Wait until what happened in the music folders is in the crates.")

  @OptionGroup var common: CommonOptions

  func run() throws {
    try Progress.show(.sync, try Daemon(common), json: common.json)
  }
}
