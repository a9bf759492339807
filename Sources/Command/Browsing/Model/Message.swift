package import CratesInterface
package import Terminal

/// An input to the browser.
package enum Message: Sendable {
  case input(InputEvent)
  case resized(columns: Int, rows: Int)
  /// The graphics support of the terminal was detected.
  case pictures(CoverWay, cell: CellSize)
  /// No key was pressed for a moment.
  case rested
  /// The terminal has read all output and has room for more of a cover.
  case roomForMore(cells: Int)

  /// The crates in order, at the start of a connection.
  case began(crates: [String], sequence: Int)
  /// The first albums of the open crate, sent before all albums are loaded.
  case window(crate: String, [AlbumFacts])
  /// All albums in order, as of the sequence.
  case listed(crates: [String], [AlbumFacts], sequence: Int)
  /// The requested data of some albums.
  case lookedUp([AlbumFacts])
  case songs(album: String, [SongFacts])
  /// The albums and songs of all crates that match the words, best first. The fault is why the
  /// words are no query, for example an unknown field.
  case found(String, albums: [String], songs: [FoundSong], fault: String? = nil)
  case changed(Interface.Change)
  case answered(Int, Answer)
  case status(StatusFacts)
  /// The outcome of playing.
  case told(String, isFault: Bool)
  /// The player has handled all requests, or has reported an error.
  case playerAnswered
  /// What plays now; nil if nothing does.
  case playing(PlayingFacts?)
  /// A cover, with the requested pixels of its longer side; nil pixels if there is none.
  case cover(album: String, digest: String?, Pixels?, side: Int)
  /// The daemon is offline, with the reason.
  case lost(String)
}

/// The daemon's answer to an edit.
package enum Answer: Hashable, Sendable {
  case done(Interface.Change)
  /// A sentence for the user.
  case refused(String)
}

/// A side effect that the browser requests.
package enum Effect: Hashable, Sendable {
  /// Reads all albums again.
  case list
  case lookUp([String])
  case songs(album: String)
  /// Searches the whole library. Replaces the former search.
  case search(String)
  case edit(Int, Call)
  /// Requests covers in the order of their priority. Replaces the former request.
  case covers([String], side: Int)
  case play([PlayedThing], adding: Bool)
  case control(PlayerAction)
  /// Saves the places and the decisions about new albums.
  case remember
  /// Redraws the whole screen.
  case redraw
  case suspend
  case quit
}

/// A thing that can be played.
package enum PlayedThing: Hashable, Sendable {
  case crate(String)
  case album(String)
  case song(String)
}

/// A command to a player that plays.
package enum PlayerAction: Hashable, Sendable {
  /// Pauses, or resumes if the player is paused.
  case pause
  case next, stop
}

/// The ways to show covers.
package enum CoverWay: Hashable, Sendable { case none, blocks, sixel, kitty }
