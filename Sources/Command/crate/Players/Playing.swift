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
    let at = place > 0 && count > 0 ? " (\(Shown.count(place)) of \(Shown.count(count)))" : ""
    return isPaused ? "\(player) is paused at \(song)\(at)" : "\(player) plays \(song)\(at)"
  }
}

/// A running player that can be asked what it plays, and controlled.
protocol PlayerConnection: AnyObject {
  /// Nil where nothing plays.
  func playing() throws(PlayerFault) -> Playing?
  func pause(_ isPaused: Bool) throws(PlayerFault)
  /// Stops after the last song.
  func next() throws(PlayerFault)
  func stop() throws(PlayerFault)
  /// Tells what plays, now and whenever that changes, until the player has gone.
  func follow(_ tell: (Playing?) -> Void)
}
