import Arguments
import CratesInterface

struct RenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Give a crate another name.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var change: ChangeOptions
  @Argument(help: "The crate.") var crate: String
  @Argument(help: "Its new name.") var name: String

  func run() throws {
    let daemon = try DaemonConnection(common)
    let thing = try Finder(daemon: daemon, wanted: [.crate]).thing([crate])
    let call = Call.renameCrate(
      crate: thing.key, name: name, sequence: change.sequence, dryRun: change.isTrial)
    try Changes.show(try daemon.parameters(of: call), json: common.json)
  }
}
