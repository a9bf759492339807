import Arguments
import CratesInterface

struct RescanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rescan",
    abstract: "Look at the music folders again, all or below one path.",
    discussion: """
      Naming an offline music folder whose root is another one than before accepts what is there \
      now.
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "A folder or a file in a music folder.") var path: String?

  func run() throws {
    let call = Call.rescan(path: path.map(FileAddress.absolute))
    try Progress.show(call, common)
  }
}
