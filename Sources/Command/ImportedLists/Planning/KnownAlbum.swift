import Text

/// An album of the library of which a list contains songs.
package struct KnownAlbum: Hashable, Sendable {
  package var id: String
  package var title: String
  package var artist: String
  package var year: Int?
  /// RFC 3339 in UTC, which sorts as text.
  package var added: String
  /// The album's present crate.
  package var crate: String
  /// The number of listed songs.
  package var songs: Int
  /// The songs' ids in their order. Only set for the albums of `Importing.albumsInOneBlock`.
  package var order: [String] = []

  package init(
    id: String, title: String, artist: String, year: Int? = nil, added: String, crate: String,
    songs: Int
  ) {
    self.id = id
    self.title = title
    self.artist = artist
    self.year = year
    self.added = added
    self.crate = crate
    self.songs = songs
  }

  /// Whether it would be above the other album if both were new: the one added last, then by
  /// artist, year, title and id (merge-rules.md, section 4).
  func standsAbove(_ other: KnownAlbum) -> Bool {
    if added != other.added { return added > other.added }
    let (ours, theirs) = (folded(artist), folded(other.artist))
    if ours != theirs { return ours < theirs }
    if year != other.year { return year ?? .max < other.year ?? .max }
    let (title, otherTitle) = (folded(self.title), folded(other.title))
    return title == otherTitle ? id < other.id : title < otherTitle
  }
}

/// The result of looking up a song of a list.
package enum FoundSong: Hashable, Sendable {
  case found(song: String, album: String)
  /// Not found, with a description of what was tried.
  case missing(String)

  package var isFound: Bool {
    if case .found = self { true } else { false }
  }
}
