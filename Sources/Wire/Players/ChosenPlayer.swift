package import CratesInterface
import Platform

/// The player that gets songs: the one in the settings, else one that is available.
package struct ChosenPlayer {
  let player: Player
  /// The addresses at which MPD may listen.
  private let addresses: [MPDAddress]
  private let folders: [[UInt8]]
  private let runtime: String?

  /// - Parameter environment: The environment. A playlist is written below its `XDG_RUNTIME_DIR`,
  ///   and the mpv that Crated starts listens there.
  package init(
    _ status: Interface.LibraryStatus, environment: (String) -> String?
  ) throws(PlayerFault) {
    runtime = environment("XDG_RUNTIME_DIR")
    folders = status.folders.map { Array($0.path.utf8) }
    addresses = MPDAddress.all(set: status.mpd, environment)
    if let setting = status.player {
      player = Player(setting: setting)
    } else {
      player = try .usual(mpd: addresses, path: environment("PATH") ?? "/usr/bin:/bin")
    }
  }

  /// The paths of the sockets at which supported players listen while they run.
  package var sockets: [String] {
    var sockets = OwnMPV(inRuntime: runtime).map { [$0.socket] } ?? []
    switch player {
    case .mpv(let socket): sockets.append(socket)
    case .mpd: sockets += addresses.compactMap(\.path)
    case .ownMPV, .command: break
    }
    return sockets
  }

  // MARK: Playing

  /// Plays songs. If another player gets them, ends the mpv that Crated started.
  ///
  /// - Parameters:
  ///   - adding: Whether the songs are appended to what the player has instead of replacing it.
  ///   - takesTerminal: Whether an mpv that has to be started gets this terminal. The caller then
  ///     starts it: see `Played.program`.
  package func play(
    _ songs: [PlayedSong], adding: Bool, takesTerminal: Bool = false
  ) throws(PlayerFault) -> Played {
    guard !adding || player.adds else {
      throw PlayerFault(
        "\(player.name) is started anew each time, so that nothing can be added; MPD and mpv take"
          + " more: see player in crated.toml(5)", isWrongUse: true)
    }
    var played = Played(
      player: player.name, songs: songs.filter(\.isLine), unknown: songs.filter { !$0.isLine })
    switch player {
    case .mpd:
      played = try MPDQueue.play(songs, adding: adding, at: addresses, folders: folders)
    case .mpv(let socket):
      guard let mpv = MPVSocket(socket) else {
        throw PlayerFault(
          "no mpv listens at \(socket); start one with --idle --input-ipc-server=\(socket), or have"
            + " both in mpv.conf")
      }
      try mpv.play(list: PlayedList.written(songs, inRuntime: runtime), adding: adding)
    case .ownMPV(let line):
      let list = try PlayedList.written(songs, inRuntime: runtime)
      let program = try OwnMPV(inRuntime: runtime)?.play(list: list, adding: adding, line: line)
      if takesTerminal { played.program = program } else { try program?.start() }
      return played
    case .command(let line):
      let list = try PlayedList.written(songs, inRuntime: runtime)
      try PlayerProgram(line: line, list: list).start()
    }
    if !played.songs.isEmpty { try? OwnMPV(inRuntime: runtime)?.running()?.stop() }
    return played
  }

  /// Plays songs by a player that already runs, over a local socket. For a process that can't start
  /// programs.
  ///
  /// - Parameter list: The path at which to write a playlist for mpv.
  package func playByRunning(
    _ songs: [PlayedSong], adding: Bool, list: String
  ) throws(PlayerFault) -> Played {
    let socket: String?
    switch player {
    case .mpd:
      let local = addresses.filter(\.isLocal)
      return try MPDQueue.play(songs, adding: adding, at: local, folders: folders)
    case .mpv(let path): socket = path
    case .ownMPV, .command: socket = OwnMPV(inRuntime: runtime)?.socket
    }
    guard let socket, let mpv = MPVSocket(socket) else {
      throw PlayerFault(
        "no player runs where Crated is; start one there with crate play, or set player in"
          + " config.toml to MPD")
    }
    let played = Played(
      player: Player.mpv(socket: socket).name, songs: songs.filter(\.isLine),
      unknown: songs.filter { !$0.isLine })
    do throws(SystemCallError) {
      try PlayedList.write(songs, to: list)
    } catch {
      throw PlayerFault("\(list) can't be written: \(error.reason)")
    }
    try mpv.play(list: list, adding: adding)
    return played
  }

  // MARK: Controlling

  /// Returns the player if it runs and can be controlled; nil if none runs.
  ///
  /// - Parameter isFollowed: Whether the connection waits for changes, which may never come.
  package func connection(isFollowed: Bool = false) throws(PlayerFault) -> (any PlayerConnection)? {
    // An mpv that Crated started goes on even if the setting has changed.
    if let own = try OwnMPV(inRuntime: runtime)?.running() { return own }
    switch player {
    case .mpd: return try MPDControl(addresses, isFollowed: isFollowed)
    case .mpv(let socket): return MPVSocket(socket).map { MPVControl($0) }
    case .ownMPV: return nil
    case .command:
      throw PlayerFault(
        "\(player.name) has controls of its own; crate play can pause MPD and mpv: see player in"
          + " crated.toml(5)")
    }
  }
}
