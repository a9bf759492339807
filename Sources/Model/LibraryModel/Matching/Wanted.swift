/// A song as another source describes it: a player's list, or another program's database. Empty,
/// nil or 0 values are unknown.
package struct Wanted: Hashable, Sendable {
  /// Its id in another Crated. The same files have the same ids.
  package var song: SongID?
  /// A path or a `file:` URI, as the source has it.
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

  /// Whether there is no metadata that could contradict a song found by its path.
  var isSilent: Bool {
    title.isEmpty && artist.isEmpty && album.isEmpty && albumArtist.isEmpty && milliseconds <= 0
  }
}

/// The step that found an entry, in words for the user.
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

/// The result of matching an entry.
package enum Match: Hashable, Sendable {
  case found(SongID, MatchStep)
  /// The reason why no song was found, as a sentence without a full stop.
  case missing(String)

  package var song: SongID? {
    if case .found(let song, _) = self { song } else { nil }
  }
}
