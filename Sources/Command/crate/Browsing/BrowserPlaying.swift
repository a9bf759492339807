import CratesInterface

/// Playing without a terminal of one's own, as `crate play` does it.
enum BrowserPlaying {
  /// - Parameter runtime: where a list for the player is written.
  /// - Returns: a sentence for the last line.
  static func play(
    _ songs: [Interface.Song], _ status: Interface.LibraryStatus, adding: Bool,
    runtime: String? = Environment["XDG_RUNTIME_DIR"]
  ) -> (sentence: String, isFault: Bool) {
    let there = songs.filter { $0.presence == .present }
    let played = there.compactMap { song in
      FileAddress.path(song.uri).map {
        PlayedSong(path: $0, title: song.title, artist: song.artist, seconds: song.seconds)
      }
    }
    guard !played.isEmpty else { return ("There is no song that can be played now", true) }
    do throws(PlayerFault) {
      let done = try hand(played, status, adding: adding, runtime)
      guard !done.songs.isEmpty else { return ("\(done.player) took none of the songs", true) }
      let count = Shown.count(done.songs.count, "song")
      let remark = done.remarks.first.map { "; \($0)" } ?? ""
      return (
        adding
          ? "\(count) wait in \(done.player)\(remark)" : "\(done.player) plays \(count)\(remark)",
        false
      )
    } catch {
      return (error.message, true)
    }
  }

  private static func hand(
    _ songs: [PlayedSong], _ status: Interface.LibraryStatus, adding: Bool, _ runtime: String?
  ) throws(PlayerFault) -> Played {
    let chosen = try ChosenPlayer(status)
    let player = chosen.player
    if adding, !player.adds {
      throw PlayerFault("\(player.name) is started anew each time; nothing can be added")
    }
    switch player {
    case .mpd:
      let folders = status.folders.map { Array($0.path.utf8) }
      return try MPDQueue.play(songs, adding: adding, at: chosen.addresses, folders: folders)
    case .mpv(let socket):
      let list = try PlayedList.written(songs, inRuntime: runtime)
      try MPVSocket.play(list: list, adding: adding, at: socket)
    case .command(let line):
      let list = try PlayedList.written(songs, inRuntime: runtime)
      try PlayerProgram(line: line, list: list).start()
    }
    return Played(
      player: player.name, songs: songs.filter(\.isLine), unknown: songs.filter { !$0.isLine })
  }
}
