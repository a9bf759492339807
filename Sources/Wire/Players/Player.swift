import Glibc

/// What the person listens with.
package enum Player: Hashable, Sendable {
  case mpd
  /// One that runs, by the path of its socket (`input-ipc-server`).
  case mpv(socket: String)
  /// An mpv that is started where none of ours runs, by a line as `command` has it.
  case ownMPV(String)
  /// A line for a shell, in which `{}` is the path of a list.
  case command(String)

  /// The line that starts an mpv where none is set.
  static let usualMPV = "mpv --playlist={}"

  /// - Parameter setting: as crated's Status has it.
  package init(setting: String) {
    if setting == "mpd" {
      self = .mpd
    } else if setting.hasPrefix("mpv:") {
      self = .mpv(socket: String(setting.dropFirst("mpv:".count)))
    } else {
      let isMPV = PlayerProgram(line: setting, list: "").name == "mpv"
      self = isMPV ? .ownMPV(setting) : .command(setting)
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
    for player in [Player.ownMPV(usualMPV), .command("xdg-open {}")] {
      if folders.contains(where: { access("\($0)/\(player.name)", X_OK) == 0 }) { return player }
    }
    throw PlayerFault(
      "no player is there: MPD does not answer, and neither mpv nor xdg-open is installed; install"
        + " one, or set player in config.toml")
  }

  /// For people.
  package var name: String {
    switch self {
    case .mpd: "MPD"
    case .mpv, .ownMPV: "mpv"
    case .command(let line): PlayerProgram(line: line, list: "").name
    }
  }

  /// Whether songs can be added to what it plays.
  package var adds: Bool { if case .command = self { false } else { true } }
}
