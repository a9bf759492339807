import Glibc

/// The player that the user listens with.
package enum Player: Hashable, Sendable {
  case mpd
  /// A running mpv, by the path of its socket (`input-ipc-server`).
  case mpv(socket: String)
  /// An mpv that Crated starts if it is not running, by a command line as in `command`.
  case ownMPV(String)
  /// A shell command line, in which `{}` stands for the path of a playlist.
  case command(String)

  /// The command line that starts mpv if none is set.
  static let usualMPV = "mpv --playlist={}"

  /// - Parameter setting: The setting as in the daemon's status.
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

  /// Returns the player to use if none is set: MPD if it answers, else mpv or xdg-open if
  /// installed.
  ///
  /// - Parameters:
  ///   - mpd: The addresses at which MPD may listen.
  ///   - path: The folders of programs, as in `PATH`.
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

  /// The name shown to the user.
  package var name: String {
    switch self {
    case .mpd: "MPD"
    case .mpv, .ownMPV: "mpv"
    case .command(let line): PlayerProgram(line: line, list: "").name
    }
  }

  /// Whether songs can be appended to what the player plays.
  package var adds: Bool { if case .command = self { false } else { true } }
}
