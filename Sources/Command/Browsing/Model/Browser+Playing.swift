import Terminal

/// Handing songs to the player, and what it plays.
extension Browser {
  /// What is selected or under the cursor.
  func meantToPlay() -> [PlayedThing] {
    switch pane {
    case .crates: currentCrate.map { [.crate(shown.name(of: $0))] } ?? []
    case .albums: meantAlbums.map { .album(tables[$0].id) }
    case .songs: songList.meant(in: songs).map { .song($0) }
    }
  }

  mutating func playNow(adding: Bool = false) -> [Effect] { play(meantToPlay(), adding: adding) }

  mutating func play(_ things: [PlayedThing], adding: Bool = false) -> [Effect] {
    things.isEmpty ? [] : ask(player: .play(things, adding: adding))
  }

  mutating func ask(player effect: Effect) -> [Effect] {
    awaitsPlayer = true
    return [effect]
  }

  /// The keys that control the player wherever letters are not text.
  func playerAction(of stroke: Stroke) -> PlayerAction? {
    switch Bindings.commands[stroke] {
    case .pause: .pause
    case .nextSong: .next
    case .stop: .stop
    default: nil
    }
  }

  /// The sheet's commands.
  static let playings: [(letter: Unicode.Scalar, adding: Bool, does: String)] = [
    ("p", false, "play it now, instead of what plays"),
    ("a", true, "add it to the end of what the player has"),
  ]

  mutating func pressInPlaying(_ stroke: Stroke) -> [Effect] {
    mode = .lists
    if stroke == Stroke(.enter) || stroke == Stroke("!") { return playNow() }
    guard let way = Self.playings.first(where: { Stroke($0.letter) == stroke }) else { return [] }
    return playNow(adding: way.adding)
  }

  /// What goes on playing when the browser is left; nil: nothing.
  package var partingWords: String? {
    guard let playing else { return nil }
    let title = playing.title.isEmpty ? "A song" : playing.title
    return playing.isPaused
      ? "\(title) is paused in \(playing.player); crate play --pause goes on with it"
      : "\(title) goes on playing in \(playing.player); crate play --stop ends it"
  }

  /// What plays, for the last line.
  var playingWords: String {
    guard let playing, !playing.title.isEmpty else { return "" }
    let song = playing.artist.isEmpty ? playing.title : "\(playing.title) - \(playing.artist)"
    let mark = look.isPlain || look.isASCII ? (playing.isPaused ? "" : "plays: ") : "♪ "
    return mark + song + (playing.isPaused ? " (paused)" : "")
  }
}
