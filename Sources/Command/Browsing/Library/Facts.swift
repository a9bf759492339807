package import CratesInterface

/// The data of an album from the daemon that the browser shows.
package struct AlbumFacts: Hashable, Sendable {
  package var id: String
  /// The name of the album's crate when the daemon sent this.
  package var crate: String
  package var title: String
  package var artist: String
  package var year: Int?
  package var songs: Int
  package var seconds: Double
  package var presence: Presence
  /// Whether the user moved the album and has not undone that.
  package var isMoved: Bool
  /// The sequence at which the album was added.
  package var came: Int
  /// The digest of the album's cover; nil if it has none.
  package var cover: String?

  package init(
    id: String, crate: String, title: String, artist: String, year: Int? = nil, songs: Int = 1,
    seconds: Double = 0, presence: Presence = .present, isMoved: Bool = false, came: Int = 0,
    cover: String? = nil
  ) {
    self.id = id
    self.crate = crate
    self.title = title
    self.artist = artist
    self.year = year
    self.songs = songs
    self.seconds = seconds
    self.presence = presence
    self.isMoved = isMoved
    self.came = came
    self.cover = cover
  }

  package init(_ album: Interface.Album) {
    self.init(
      id: album.id, crate: album.crate, title: album.title, artist: album.artist,
      year: album.year, songs: album.songs, seconds: album.seconds,
      presence: Presence(album.presence), isMoved: album.moved, came: album.came,
      cover: album.cover)
  }
}

package enum Presence: Hashable, Sendable {
  case present, offline, gone

  package init(_ presence: Interface.Presence) {
    switch presence {
    case .present, .unknown: self = .present
    case .offline: self = .offline
    case .gone: self = .gone
    }
  }
}

/// The data of a song from the daemon that the browser shows.
package struct SongFacts: Hashable, Sendable {
  package var id: String
  package var title: String
  package var artist: String
  package var seconds: Double
  package var presence: Presence

  package init(
    id: String, title: String, artist: String, seconds: Double = 0,
    presence: Presence = .present
  ) {
    self.id = id
    self.title = title
    self.artist = artist
    self.seconds = seconds
    self.presence = presence
  }

  package init(_ song: Interface.Song) {
    self.init(
      id: song.id, title: song.title, artist: song.artist, seconds: song.seconds,
      presence: Presence(song.presence))
  }
}

/// A song that a search found, with the id of its album.
package struct FoundSong: Hashable, Sendable {
  package var album: String
  package var facts: SongFacts

  package init(album: String, _ facts: SongFacts) {
    self.album = album
    self.facts = facts
  }
}

/// The status of the daemon and of the music folders.
package struct StatusFacts: Hashable, Sendable {
  /// The number of songs that are gone and keep their places.
  package var gone: Int
  /// The problems, a sentence each, the most urgent first.
  package var troubles: [String]
  /// The work in progress; nil if the daemon is idle.
  package var work: String?

  package init(gone: Int = 0, troubles: [String] = [], work: String? = nil) {
    self.gone = gone
    self.troubles = troubles
    self.work = work
  }
}

/// The data of what a player plays that the browser shows.
package struct PlayingFacts: Hashable, Sendable {
  package var player: String
  package var title: String
  package var artist: String
  package var isPaused: Bool

  package init(player: String, title: String, artist: String = "", isPaused: Bool = false) {
    self.player = player
    self.title = title
    self.artist = artist
    self.isPaused = isPaused
  }
}
