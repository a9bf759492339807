import LibraryModel

/// What of an album or a song is searched.
struct SearchDocument: Equatable {
  var artist: [String]
  var album: [String]
  /// Empty for an album: its name is `album`.
  var title: [String] = []

  /// After the words of a text; no query has it.
  static let end = "\u{E100}"

  init(_ face: AlbumFace) {
    artist = Self.tokens(face.artist)
    album = Self.tokens(face.title)
  }

  /// - Parameter face: that of its album, which is worked out once for all its songs.
  init(_ song: Song, _ face: AlbumFace, of album: SearchDocument) {
    artist = song.artist == face.artist ? album.artist : Self.tokens(song.artist) + album.artist
    self.album = album.album
    title = Self.tokens(song.title)
  }

  static func tokens(_ text: String) -> [String] {
    let found = SearchWords(text)
    return found.words + [end] + found.joined + found.signs
  }

  /// As it stands in a column.
  static func text(_ tokens: [String]) -> String { tokens.joined(separator: " ") }
}
