package import CratesInterface
import Platform

/// The player that songs are handed to: the one that is set, else one that is there.
package struct ChosenPlayer {
  let player: Player
  /// Where MPD may answer.
  private let addresses: [MPDAddress]
  /// The music folders.
  private let folders: [[UInt8]]
  private let runtime: String?

  /// - Parameter environment: of which `XDG_RUNTIME_DIR` is where a list for the player is written,
  ///   and our mpv listens.
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

  /// Where players that are told of here listen, when they run.
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

  /// Hands songs over. Where another player gets them, the mpv that we started ends.
  ///
  /// - Parameters:
  ///   - adding: whether they follow what the player has, or take its place.
  ///   - takesTerminal: whether an mpv that has to be started is to have this terminal, which is
  ///     then the caller's to do.
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

  /// Hands songs to a player that runs already, by a socket of this machine: for a process that can
  /// start no program.
  ///
  /// - Parameter list: a path where a list for mpv can be written.
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

  /// The player, where it runs and can be controlled; nil where none runs.
  ///
  /// - Parameter isFollowed: whether it is asked to tell what changes, which may never happen.
  package func connection(isFollowed: Bool = false) throws(PlayerFault) -> (any PlayerConnection)? {
    // What was started goes on, whatever has been set since.
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
