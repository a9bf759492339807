/// A song as a player takes it.
package struct PlayedSong: Hashable, Sendable {
  /// Absolute, the bytes that it is.
  package var path: [UInt8]
  package var title: String
  package var artist: String
  /// 0 where it is not known.
  package var seconds: Double

  package init(path: [UInt8], title: String = "", artist: String = "", seconds: Double = 0) {
    self.path = path
    self.title = title
    self.artist = artist
    self.seconds = seconds
  }

  /// Whether a line can hold the path; no list of lines and no command of a player takes another.
  package var isLine: Bool { !path.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 } }

  package var shownPath: String { String(decoding: path, as: UTF8.self) }
}

/// Why nothing plays, in words that say what to do.
package struct PlayerFault: Error, Hashable, Sendable {
  package var message: String
  /// Whether what was asked for can't be had of this player at all.
  package var isWrongUse: Bool

  package init(_ message: String, isWrongUse: Bool = false) {
    self.message = message
    self.isWrongUse = isWrongUse
  }
}

/// What became of songs that were handed to a player.
package struct Played: Sendable {
  /// What the player is called.
  package var player: String
  /// The songs that the player took, in their order.
  package var songs: [PlayedSong]
  /// The songs that the player doesn't know, or can't be told of.
  package var unknown: [PlayedSong]
  /// What else the person should know, a sentence each.
  package var remarks: [String] = []
  /// A program that is still to take the place of this one, on its terminal.
  package var program: PlayerProgram?

  package init(player: String, songs: [PlayedSong] = [], unknown: [PlayedSong] = []) {
    self.player = player
    self.songs = songs
    self.unknown = unknown
  }

  /// `mpv plays 10 songs (9:22)`, `added 10 songs to the end in mpv`
  ///
  /// - Parameter songs: how many there are, and whatever else is said of them.
  package func sentence(of songs: String, adding: Bool) -> String {
    adding ? "added \(songs) to the end in \(player)" : "\(player) plays \(songs)"
  }
}
