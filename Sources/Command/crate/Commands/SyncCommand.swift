import Arguments
import CratesInterface

struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Wait until all changes in the music folders are in the crates.")

  @OptionGroup var common: CommonOptions

  func run() throws {
    try Progress.show(.sync, common)
    if common.json { return }
    // A sync does not wait for offline folders.
    for folder in try DaemonConnection(common).status().folders where folder.state == .offline {
      let reason = folder.reason.map { ": \($0)" } ?? ""
      Output.complain(Shown.harmless("left out: \(folder.path) is offline\(reason)"))
    }
  }
}
