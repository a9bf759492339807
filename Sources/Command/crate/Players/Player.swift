import Glibc

/// What the person listens with.
package enum Player: Hashable, Sendable {
  case mpd
  /// One that runs, by the path of its socket (`input-ipc-server`).
  case mpv(socket: String)
  /// A line for a shell, in which `{}` is the path of a list.
  case command(String)

  /// - Parameter setting: as crated's Status has it.
  package init(setting: String) {
    if setting == "mpd" {
      self = .mpd
    } else if setting.hasPrefix("mpv:") {
      self = .mpv(socket: String(setting.dropFirst("mpv:".count)))
    } else {
      self = .command(setting)
    }
  }

  /// The player where none is set: what is there.
  ///
  /// - Parameters:
  ///   - mpd: where one may answer.
  ///   - path: of folders with programs, as in `PATH`.
  package static func usual(mpd: [MPDAddress], path: String) throws(PlayerFault) -> Player {
    if MPDConnection(mpd) != nil { return .mpd }
    let folders = path.split(separator: ":")
    for (program, line) in [("mpv", "mpv --playlist={}"), ("xdg-open", "xdg-open {}")] {
      if folders.contains(where: { access("\($0)/\(program)", X_OK) == 0 }) {
        return .command(line)
      }
    }
    throw PlayerFault(
      "no player is there: MPD does not answer, and neither mpv nor xdg-open is installed; install"
        + " one, or set player in config.toml")
  }

  /// For people.
  package var name: String {
    switch self {
    case .mpd: "MPD"
    case .mpv: "mpv"
    case .command(let line): PlayerProgram(line: line, list: "").name
    }
  }

  /// Whether songs can be added to what it plays.
  package var adds: Bool { if case .command = self { false } else { true } }
}
