import Arguments
import CratesInterface
import Glibc

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
    let call = Call.rescan(path: path.map(Self.absolute))
    try Progress.show(call, try Daemon(common), json: common.json)
  }

  /// A path as the daemon needs it, which does not know where this program runs.
  static func absolute(_ path: String) -> String {
    if path.hasPrefix("file:") { return path }
    var parts: [Substring] = []
    if !path.hasPrefix("/"), let directory = getcwd(nil, 0) {
      defer { free(directory) }
      parts = String(cString: directory).split(separator: "/")
        .map { Substring(String($0)) }
    }
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}
