import Arguments
import CratesInterface
import Glibc

struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Hand songs to your player, in your order.",
    discussion: """
      To what `player` in config.toml says: MPD, an mpv that runs, or a program. Where nothing is \
      set, to MPD if it answers, else to mpv, else to what opens playlists on your desktop.
      """)

  @OptionGroup var common: CommonOptions
  @Flag(help: "Behind what the player has, in place of that.") var add = false
  @Argument(help: "Crates, albums or songs.") var what: [String]

  func run() throws {
    let daemon = try DaemonConnection(common)
    let status = try daemon.status()
    let songs = try Self.songs(what, daemon)
    do throws(PlayerFault) {
      let chosen = try ChosenPlayer(status)
      let player = chosen.player
      if add, !player.adds { throw Self.addsNothing(player) }
      switch player {
      case .mpd:
        let folders = status.folders.map { Array($0.path.utf8) }
        let played = try MPDQueue.play(songs, adding: add, at: chosen.addresses, folders: folders)
        try tell(played)
      case .mpv(let socket):
        let list = try Self.list(of: songs)
        try MPVSocket.play(list: list, adding: add, at: socket)
        try tell(Self.handed(songs, to: player))
      case .command(let line):
        let program = PlayerProgram(line: line, list: try Self.list(of: songs))
        let isSeen = Terminal.input.isTerminal && Terminal.output.isTerminal && !common.json
        if !(isSeen && program.wantsTerminal) { try program.start() }
        try tell(Self.handed(songs, to: player))
        if isSeen && program.wantsTerminal { try program.become() }
      }
    } catch {
      throw Failure(status: error.isWrongUse ? .wrongUse : .refused, message: error.message)
    }
  }

  // MARK: Songs

  /// The songs that are there, in their order.
  private static func songs(_ words: [String], _ daemon: DaemonConnection) throws(Failure)
    -> [PlayedSong]
  {
    var songs: [Interface.Song] = []
    try Finder(daemon: daemon).eachSong(words) { object throws(Failure) in
      songs.append(try DaemonConnection.structure(object))
    }
    return try present(songs)
  }

  static func present(_ songs: [Interface.Song]) throws(Failure) -> [PlayedSong] {
    let there = songs.filter { $0.presence == .present }
    let away = songs.count - there.count
    let words = "\(Shown.count(away, "song")) \(away == 1 ? "is" : "are") away"
    guard !there.isEmpty else {
      throw .refused(
        away == 0 ? "there is no song in it" : "\(words): plug in the drive, and `crate sync`")
    }
    if away > 0 { Output.complain("crate: \(words) and left out") }
    var played: [PlayedSong] = []
    for song in there {
      played.append(
        PlayedSong(
          path: try song.filePath(), title: song.title, artist: song.artist, seconds: song.seconds))
    }
    return played
  }

  // MARK: Players

  /// The path of a list of them, which the next one takes the place of.
  private static func list(of songs: [PlayedSong]) throws(PlayerFault) -> String {
    try PlayedList.written(songs, inRuntime: Environment["XDG_RUNTIME_DIR"])
  }

  private static func addsNothing(_ player: Player) -> PlayerFault {
    PlayerFault(
      "\(player.name) is started anew each time, so that nothing can be added; --add takes MPD or"
        + " an mpv with a socket: see player in crated.toml(5)", isWrongUse: true)
  }

  private static func handed(_ songs: [PlayedSong], to player: Player) -> Played {
    Played(
      player: player.name, songs: songs.filter(\.isLine), unknown: songs.filter { !$0.isLine })
  }

  // MARK: Telling

  /// Songs that are named as unknown to the player.
  private static let namedMost = 3

  private func tell(_ played: Played) throws(PlayerFault) {
    for remark in Self.remarks(played) { Output.complain("crate: \(Shown.harmless(remark))") }
    guard !played.songs.isEmpty else {
      throw PlayerFault("\(played.player) took none of the songs, and goes on as before")
    }
    let seconds = played.songs.reduce(0) { $0 + $1.seconds }
    if common.json {
      Output.line([
        "player": .string(played.player), "added": .bool(add),
        "songs": .integer(Int64(played.songs.count)), "seconds": .number(seconds),
        "unknown": .array(played.unknown.map { .string($0.shownPath) }),
      ])
    } else {
      let length = Shown.duration(seconds)
      let songs =
        Shown.count(played.songs.count, "song") + (length.isEmpty ? "" : " (\(length))")
      Output.line(
        add ? "\(songs) wait in \(played.player)" : "\(played.player) plays \(songs)")
    }
    Output.flush()
  }

  /// What the person should know, a sentence each.
  static func remarks(_ played: Played) -> [String] {
    if played.unknown.isEmpty { return played.remarks }
    let named = played.unknown.prefix(namedMost).map(\.shownPath).joined(separator: ", ")
    let more = played.unknown.count - namedMost
    let rest = more > 0 ? " and \(Shown.count(more)) more" : ""
    let songs = Shown.count(played.unknown.count, "song")
    return played.remarks + ["\(played.player) doesn't know \(songs): \(named)\(rest)"]
  }
}
