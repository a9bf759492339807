/// What somebody else says of a song: a player's list, another program's database. Empty, nil or 0:
/// it doesn't say.
package struct Wanted: Hashable, Sendable {
  /// Its id, where another Crated says it: the same files have the same ids.
  package var song: SongID?
  /// A path, or a `file:` URI, as it is written there.
  package var path: [UInt8] = []
  package var title = ""
  package var artist = ""
  package var album = ""
  package var albumArtist = ""
  package var disc: Int?
  package var track: Int?
  package var milliseconds = 0
  /// MusicBrainz recording id.
  package var recording = ""
  /// MusicBrainz release id.
  package var release = ""

  package init() {}

  /// Whether there is nothing to hold against a song that its path would lead to.
  var isSilent: Bool {
    title.isEmpty && artist.isEmpty && album.isEmpty && albumArtist.isEmpty && milliseconds <= 0
  }
}

/// The step that found a wanted song, in words for people.
package enum MatchStep: String, Sendable, CaseIterable {
  case id = "its id"
  case path = "its path"
  case folder = "its path in the music folder"
  case spelling = "its path in another spelling"
  case prefix = "its path, as others of the list were found"
  case ending = "the end of its path"
  case recording = "its MusicBrainz recording"
  case tags = "artist, album and title"
  case title = "artist, title and length"
}

/// What became of a wanted song.
package enum Match: Hashable, Sendable {
  case found(SongID, MatchStep)
  /// What was tried, and what came of it, as a sentence without full stop.
  case missing(String)

  package var song: SongID? {
    if case .found(let song, _) = self { song } else { nil }
  }
}
