import Terminal

/// Playing songs, and the state of the player.
extension Browser {
  /// Plays at once, or asks first if something plays.
  ///
  /// - Parameter back: The search to return to after the question.
  mutating func beginPlaying(_ things: Things?, back: Finding? = nil) -> [Effect] {
    guard let things else {
      notice = Notice(text: "There is nothing here to play")
      return []
    }
    if playing == nil, !awaitsPlayer { return play(things) }
    mode = .playing(things, back: back)
    return []
  }

  mutating func play(_ things: Things, adding: Bool = false) -> [Effect] {
    guard let things = left(of: things) else {
      noteGone(things, undone: "played")
      return []
    }
    let played: [PlayedThing] =
      switch things {
      case .crate(let crate): [.crate(shown.name(of: crate))]
      case .albums(let ids): ids.map { .album(tables[$0].id) }
      case .songs(let ids, _): ids.map { .song($0) }
      }
    return ask(player: .play(played, adding: adding))
  }

  /// Plays the selected songs, or the album from the song under the cursor on.
  mutating func playFromHere() -> [Effect] {
    guard let album = currentAlbum, !songs.isEmpty else { return [] }
    let selected = songList.selected(in: songs)
    return play(.songs(selected.isEmpty ? Array(songs[place...]) : selected, of: album))
  }

  mutating func ask(player effect: Effect) -> [Effect] {
    awaitsPlayer = true
    return [effect]
  }

  /// Returns the action of a key that controls the player wherever letters are not text.
  func playerAction(of stroke: Stroke) -> PlayerAction? {
    switch Bindings.commands[stroke] {
    case .pause: .pause
    case .nextSong: .next
    case .stop: .stop
    default: nil
    }
  }

  /// The commands of the sheet.
  static let playings: [(letter: Unicode.Scalar, adding: Bool, does: String)] = [
    ("p", false, "play now, instead of what plays"),
    ("a", true, "add to the end of what the player has"),
  ]

  mutating func pressInPlaying(
    _ stroke: Stroke, _ things: Things, back: Finding?
  ) -> [Effect] {
    mode = back.map { .finding($0) } ?? .lists
    refreshFinding()
    if stroke == Stroke(.enter) || Bindings.commands[stroke] == .play { return play(things) }
    guard let way = Self.playings.first(where: { Stroke($0.letter) == stroke }) else { return [] }
    return play(things, adding: way.adding)
  }

  /// What goes on playing after the browser quits; nil if nothing does.
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
    if look.isPlain || look.isASCII { return (playing.isPaused ? "paused: " : "plays: ") + song }
    return (playing.isPaused ? "‖ " : "♪ ") + song
  }
}
