package import CratesInterface
package import Terminal

/// What the browser hears.
package enum Message: Sendable {
  case input(InputEvent)
  case resized(columns: Int, rows: Int)
  /// What the terminal can show has become known.
  case pictures(CoverWay, cell: CellSize)
  /// Nothing was pressed for a moment.
  case rested
  /// The terminal has taken what was drawn, and has room for more of a cover.
  case roomForMore(cells: Int)

  /// The crates in their order, at the beginning of a connection.
  case began(crates: [String], sequence: Int)
  /// The first albums of the crate that is open, before all of them come.
  case window(crate: String, [AlbumFacts])
  /// All albums in their order, as they were at that sequence.
  case listed(crates: [String], [AlbumFacts], sequence: Int)
  /// What was asked about some albums.
  case lookedUp([AlbumFacts])
  case songs(album: String, [SongFacts])
  /// Albums and songs of all crates that have the words, the best first.
  case found(String, albums: [String], songs: [FoundSong])
  case changed(Interface.Change)
  case answered(Int, Answer)
  case status(StatusFacts)
  /// What became of playing.
  case told(String, isFault: Bool)
  /// The player has done all that was asked of it, or said why not.
  case playerAnswered
  /// What plays now; nil: nothing.
  case playing(PlayingFacts?)
  /// A cover, and the pixels of its longer side that were asked for; without any where there is
  /// none.
  case cover(album: String, digest: String?, Pixels?, side: Int)
  /// The daemon is away; why.
  case lost(String)
}

/// What the daemon said to an edit.
package enum Answer: Hashable, Sendable {
  case done(Interface.Change)
  /// A sentence for people.
  case refused(String)
}

/// What the browser wants done.
package enum Effect: Hashable, Sendable {
  /// Reads everything again.
  case list
  case lookUp([String])
  case songs(album: String)
  /// Looks for words in the whole library, instead of those before.
  case search(String)
  case edit(Int, Call)
  /// Covers in the order in which they are wanted, instead of those asked for before.
  case covers([String], side: Int)
  case play([PlayedThing], adding: Bool)
  case control(PlayerAction)
  /// Writes down where the person is, and what they said of new albums.
  case remember
  /// Forgets what the terminal shows.
  case redraw
  case suspend
  case quit
}

/// What can be played.
package enum PlayedThing: Hashable, Sendable {
  case crate(String)
  case album(String)
  case song(String)
}

/// What a player that plays can be told.
package enum PlayerAction: Hashable, Sendable {
  /// Pauses, or goes on where it is paused.
  case pause
  case next, stop
}

/// How covers are shown.
package enum CoverWay: Hashable, Sendable { case none, blocks, sixel, kitty }
