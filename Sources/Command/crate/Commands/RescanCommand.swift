import Arguments
import CratesInterface

struct RescanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rescan",
    abstract: "Scan the music folders again, or one path in them.",
    discussion: """
      A music folder that is offline because another folder or drive is in its place is accepted \
      as it is now if you name it.
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "A folder or a file in a music folder.") var path: String?

  func run() throws {
    let call = Call.rescan(path: path.map(FileAddress.absolute))
    if common.json { return try Progress.show(call, common) }
    let daemon = try DaemonConnection(common)
    let before = try daemon.status().gone
    try Progress.show(call, common)
    let gone = try daemon.status().gone - before
    // Naming a folder accepts that songs are missing from it, which nothing else says.
    if gone > 0 {
      Output.complain(
        "crate: \(Shown.count(gone, "song")) \(gone == 1 ? "is" : "are") gone now; places are kept,"
          + " and crate list --gone shows them")
    }
  }
}
