/// What a player plays at present.
package struct Playing: Hashable, Sendable {
  package var player: String
  /// Empty if the player doesn't know the title yet.
  package var title: String
  package var artist = ""
  package var isPaused = false
  /// The song's position in the player's queue, from 1.
  package var place = 0
  package var count = 0

  /// For example `mpv plays Blue Train by John Coltrane (3 of 10)`.
  package var sentence: String {
    let song = title.isEmpty ? "a song" : artist.isEmpty ? title : "\(title) by \(artist)"
    let at = place > 0 && count > 0 ? " (\(place) of \(count))" : ""
    return isPaused ? "\(player) is paused at \(song)\(at)" : "\(player) plays \(song)\(at)"
  }
}

/// A running player that can be asked what it plays, and controlled.
package protocol PlayerConnection: AnyObject {
  /// Returns nil if nothing plays.
  func playing() throws(PlayerFault) -> Playing?
  func pause(_ isPaused: Bool) throws(PlayerFault)
  /// Goes on to the next song. Stops after the last one.
  func next() throws(PlayerFault)
  func stop() throws(PlayerFault)
  /// Reports what plays, now and on each change, until the player has ended.
  func follow(_ tell: (Playing?) -> Void)
}

/// A command to a player that plays.
package enum PlayerControl: Hashable, Sendable {
  /// Pauses, or resumes if the player is paused.
  case pause
  case next, stop
}

extension PlayerConnection {
  /// - Returns: A sentence about the outcome; nil if nothing plays.
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
