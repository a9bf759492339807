import Arguments
import CratesInterface

struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Wait until what happened in the music folders is in the crates.")

  @OptionGroup var common: CommonOptions

  func run() throws {
    try Progress.show(.sync, try Daemon(common), json: common.json)
    if common.json { return }
    // What is not there can't be waited for.
    let status: Interface.LibraryStatus = try Daemon.structure(
      try Daemon(common).parameters(of: .status)["status"] ?? .null)
    for folder in status.folders where folder.state == .offline {
      let reason = folder.reason.map { ": \($0)" } ?? ""
      Output.complain(Shown.harmless("left out: \(folder.path) is offline\(reason)"))
    }
  }
}
