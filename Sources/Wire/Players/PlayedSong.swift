/// A song as it is handed to a player.
package struct PlayedSong: Hashable, Sendable {
  /// The absolute path, as raw bytes.
  package var path: [UInt8]
  package var title: String
  package var artist: String
  /// 0 if the length is not known.
  package var seconds: Double

  package init(path: [UInt8], title: String = "", artist: String = "", seconds: Double = 0) {
    self.path = path
    self.title = title
    self.artist = artist
    self.seconds = seconds
  }

  /// Whether the path fits on one line. Neither playlists nor players' commands accept others.
  package var isLine: Bool { !path.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 } }

  package var shownPath: String { String(decoding: path, as: UTF8.self) }
}

/// Why nothing plays, in words that tell the user what to do.
package struct PlayerFault: Error, Hashable, Sendable {
  package var message: String
  /// Whether this player does not support the request at all.
  package var isWrongUse: Bool

  package init(_ message: String, isWrongUse: Bool = false) {
    self.message = message
    self.isWrongUse = isWrongUse
  }
}

/// The outcome of handing songs to a player.
package struct Played: Sendable {
  package var player: String
  /// The songs that the player accepted, in order.
  package var songs: [PlayedSong]
  /// The songs that the player doesn't know, or whose paths can't be sent to it.
  package var unknown: [PlayedSong]
  /// More sentences for the user.
  package var remarks: [String] = []
  /// A program that the caller has to start in place of this process, on its terminal.
  package var program: PlayerProgram?

  package init(player: String, songs: [PlayedSong] = [], unknown: [PlayedSong] = []) {
    self.player = player
    self.songs = songs
    self.unknown = unknown
  }

  /// Returns a sentence such as `mpv plays 10 songs (9:22)` or `added 10 songs to the end in mpv`.
  ///
  /// - Parameter songs: The number of songs with anything else to say about them.
  package func sentence(of songs: String, adding: Bool) -> String {
    adding ? "added \(songs) to the end in \(player)" : "\(player) plays \(songs)"
  }
}
