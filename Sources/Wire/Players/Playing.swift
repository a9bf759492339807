/// What a player plays now.
package struct Playing: Hashable, Sendable {
  /// What the player is called.
  package var player: String
  /// Empty where the player doesn't know it yet.
  package var title: String
  package var artist = ""
  package var isPaused = false
  /// The song's place in what the player has, from 1, and how many songs it has.
  package var place = 0
  package var count = 0

  /// `mpv plays Blue Train by John Coltrane (3 of 10)`
  package var sentence: String {
    let song = title.isEmpty ? "a song" : artist.isEmpty ? title : "\(title) by \(artist)"
    let at = place > 0 && count > 0 ? " (\(place) of \(count))" : ""
    return isPaused ? "\(player) is paused at \(song)\(at)" : "\(player) plays \(song)\(at)"
  }
}

/// A running player that can be asked what it plays, and controlled.
package protocol PlayerConnection: AnyObject {
  /// Nil where nothing plays.
  func playing() throws(PlayerFault) -> Playing?
  func pause(_ isPaused: Bool) throws(PlayerFault)
  /// Stops after the last song.
  func next() throws(PlayerFault)
  func stop() throws(PlayerFault)
  /// Tells what plays, now and whenever that changes, until the player has gone.
  func follow(_ tell: (Playing?) -> Void)
}

/// What a player that plays can be told.
package enum PlayerControl: Hashable, Sendable {
  /// Pauses, or goes on where it is paused.
  case pause
  case next, stop
}

extension PlayerConnection {
  /// - Returns: a sentence about what became of it; nil where nothing plays.
  package func perform(_ control: PlayerControl) throws(PlayerFault) -> String? {
    guard let before = try playing() else { return nil }
    switch control {
    case .pause:
      try pause(!before.isPaused)
      return before.isPaused ? "\(before.player) is playing again" : "\(before.player) is paused"
    case .next:
      try next()
      return before.place < before.count
        ? "\(before.player) goes on to song \(before.place + 1) of \(before.count)"
        : "That was the last song"
    case .stop:
      try stop()
      return "\(before.player) has stopped"
    }
  }
}
