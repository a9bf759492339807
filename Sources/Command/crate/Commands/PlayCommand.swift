import Arguments
import Browsing
import CratesInterface
import Glibc
import Players

struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Hand songs to your player, in your order.",
    discussion: """
      To what `player` in config.toml says: MPD, an mpv that runs, or a program. Where nothing is \
      set, to MPD if it answers, else to mpv, else to what opens playlists on your desktop. One \
      mpv is started and used again. Without a name it says what plays.
      """)

  @OptionGroup var common: CommonOptions
  @Flag(help: "Add to the end of what the player has, instead of replacing it.") var add = false
  @Flag(help: "Pause what plays, or go on with it.") var pause = false
  @Flag(help: "Go on to the next song.") var next = false
  @Flag(help: "Stop playing.") var stop = false
  @Argument(help: "Crates, albums or songs.") var what: [String] = []

  func validate() throws {
    let controls = [pause, next, stop].count { $0 }
    if controls > 1 { throw ValidationError("only one of --pause, --next and --stop is taken") }
    if controls > 0, add || !what.isEmpty {
      throw ValidationError("--pause, --next and --stop take no names, and no --add")
    }
    if add, what.isEmpty { throw ValidationError("--add takes crates, albums or songs") }
  }

  private var action: PlayerControl? { pause ? .pause : next ? .next : stop ? .stop : nil }

  func run() throws {
    do {
      if what.isEmpty {
        try control()
      } else {
        try play()
      }
    } catch let fault as PlayerFault {
      throw Failure(fault)
    }
    Output.flush()
  }

  private func play() throws {
    let daemon = try DaemonConnection(common)
    let status = try daemon.status()
    let songs = try Self.songs(what, daemon)
    let isSeen = Terminal.input.isTerminal && Terminal.output.isTerminal && !common.json
    let played = try ChosenPlayer(status).play(songs, adding: add, takesTerminal: isSeen)
    try tell(played)
    try played.program?.become()
  }

  /// Controls the player, or prints what plays.
  private func control() throws {
    // The mpv that Crated started can be controlled without the daemon.
    var player: (any PlayerConnection)? =
      try OwnMPV(inRuntime: Environment["XDG_RUNTIME_DIR"])?.running()
    if player == nil {
      player = try ChosenPlayer(try DaemonConnection(common).status()).connection()
    }
    var sentence: String?
    if let action { sentence = try player?.perform(action) }
    let isShown = common.json || action == nil
    let playing = isShown && !stop ? try player?.playing() : nil
    if common.json {
      Output.line(Self.object(playing))
    } else {
      Output.line(Shown.harmless(sentence ?? playing?.sentence ?? "nothing plays"))
    }
  }

  private static func object(_ playing: Playing?) -> JSON {
    guard let playing else { return ["state": "stopped"] }
    return [
      "player": .string(playing.player), "state": playing.isPaused ? "paused" : "playing",
      "title": .string(playing.title), "artist": .string(playing.artist),
      "position": .integer(Int64(playing.place)), "songs": .integer(Int64(playing.count)),
    ]
  }

  // MARK: Songs

  /// Returns the songs that are present, in order.
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
    let words = "\(Shown.count(away, "song")) \(away == 1 ? "is" : "are") not there"
    guard !there.isEmpty else {
      throw .refused(
        away == 0 ? "there is no song in it" : "\(words); crate status shows the folders")
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

  // MARK: Output

  /// The most songs to name as unknown to the player.
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
      Output.line(played.sentence(of: songs, adding: add))
    }
    Output.flush()
  }

  /// The remarks for the user, a sentence each.
  static func remarks(_ played: Played) -> [String] {
    if played.unknown.isEmpty { return played.remarks }
    let named = played.unknown.prefix(namedMost).map(\.shownPath).joined(separator: ", ")
    let more = played.unknown.count - namedMost
    let rest = more > 0 ? " and \(Shown.count(more)) more" : ""
    let songs = Shown.count(played.unknown.count, "song")
    return played.remarks + ["\(played.player) doesn't know \(songs): \(named)\(rest)"]
  }
}
