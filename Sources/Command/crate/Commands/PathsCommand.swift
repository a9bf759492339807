import Arguments
import CratesInterface

struct PathsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paths",
    abstract: "Print the files of songs in their order, one path a line.",
    discussion: """
      For players: `crate paths Jazz | mpv --playlist=-`. Paths are printed byte for byte, except \
      on a terminal, where nothing in them moves the cursor.
      """)

  @OptionGroup var common: CommonOptions
  @Flag(name: .customShort("0"), help: "End each path with a NUL, for xargs -0.") var nul = false
  @Argument(help: "Crates, albums or songs.") var what: [String]

  func run() throws {
    let daemon = try DaemonConnection(common)
    var printed = PrintedPaths(nul: nul, terminal: .output)
    try Finder(daemon: daemon).eachSong(what) { object throws(Failure) in
      if common.json { return Output.line(object) }
      let song: Interface.Song = try DaemonConnection.structure(object)
      Output.bytes(printed.bytes(of: try song.filePath()))
    }
    Output.flush()
    if let remark = printed.remark { Output.complain("crate: \(remark)") }
  }
}

/// Prints paths, each with its terminator.
struct PrintedPaths {
  private let end: UInt8
  private let isShown: Bool
  /// The number of paths with line breaks.
  private var torn = 0

  private static let lineBreak = UInt8(ascii: "\n")

  init(nul: Bool, terminal: Terminal) {
    end = nul ? 0 : Self.lineBreak
    isShown = terminal.isTerminal
  }

  mutating func bytes(of path: [UInt8]) -> [UInt8] {
    if isShown { return Array(String(decoding: path, as: UTF8.self).harmless.utf8) + [end] }
    if end == Self.lineBreak, path.contains(Self.lineBreak) { torn += 1 }
    return path + [end]
  }

  /// The warning that a program reading lines would misread paths.
  var remark: String? {
    switch torn {
    case 0: nil
    case 1: "a path has a line break in it and is several lines; crate paths -0 ends it with a NUL"
    default:
      "\(Shown.count(torn)) paths have line breaks in them and are several lines each;"
        + " crate paths -0 ends them with NULs"
    }
  }
}
