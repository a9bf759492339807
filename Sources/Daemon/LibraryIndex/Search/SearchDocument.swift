import LibraryModel

/// The tokens by which an album or a song is found.
struct SearchDocument: Equatable {
  var artist: [String]
  /// The artist of a song's album; empty for an album, whose artist is `artist`.
  var albumArtist: [String] = []
  var album: [String]
  /// A song's title; empty for an album, whose name is `album`.
  var title: [String] = []
  var year: [String]
  /// The composers; for an album, those of its songs. The same holds for genre and path.
  var composer: [String]
  var genre: [String]
  var path: [String]

  /// - Parameter songs: the album's listed songs.
  init(_ face: AlbumFace, songs: [Song]) {
    artist = Self.tokens(face.artist)
    album = Self.tokens(ofName: face.title)
    year = Self.tokens(ofYear: face.year)
    let details = songs.compactMap(\.facts?.details)
    composer = Self.tokens(ofEach: details.map(\.composer))
    genre = Self.tokens(ofEach: details.map(\.genre))
    path = Array(songs.map { Self.tokens(ofPath: $0.path) }.joined(separator: [Self.divider]))
  }

  init(_ song: Song, in face: AlbumFace) {
    artist = song.artist == face.artist ? [] : Self.tokens(song.artist)
    albumArtist = Self.tokens(face.artist)
    album = Self.tokens(face.title)
    title = Self.tokens(ofName: song.title)
    year = Self.tokens(ofYear: song.year)
    let details = song.facts?.details
    composer = Self.tokens(details?.composer ?? "")
    genre = Self.tokens(details?.genre ?? "")
    path = Self.tokens(ofPath: song.path)
  }

  /// Returns the tokens of several texts, each distinct text once.
  private static func tokens(ofEach texts: [String]) -> [String] {
    var seen: Set<String> = []
    let lists = texts.filter { seen.insert($0).inserted }.map { tokens($0) }
    return Array(lists.joined(separator: [divider]))
  }

  private static func tokens(ofPath path: BytePath) -> [String] {
    tokens(
      String(decoding: path.bytes.map { $0 == UInt8(ascii: "/") ? 0x20 : $0 }, as: UTF8.self))
  }

  /// Stands between texts, and between the words of a text and other ways to write them. No query
  /// contains it, so no phrase matches across it.
  private static let divider = "\u{E100}"
  /// Stands before each word in the one token that is a whole name. No word contains it.
  private static let wholeName = "\u{E101}"
  /// The maximum length of such a token in bytes.
  private static let longestName = 400

  static func tokens(_ text: String) -> [String] { tokens(SearchWords(text)) }

  private static func tokens(_ found: SearchWords) -> [String] {
    let others = found.joined + found.signs
    return others.isEmpty ? found.words : found.words + [divider] + others
  }

  /// Returns the tokens of a name, the last of which is the whole name.
  static func tokens(ofName text: String) -> [String] {
    let found = SearchWords(text)
    return tokens(found) + (found.words.isEmpty ? [] : [divider, wholeName(found.words)])
  }

  /// Returns the beginning of the whole-name token of names that have these words and more.
  static func unfinishedName(_ words: [String]) -> String { wholeName(words) + wholeName }

  /// Returns the whole-name token of a name with these words, as many as fit.
  static func wholeName(_ words: [String]) -> String {
    var name = ""
    for word in words {
      if name.utf8.count + word.utf8.count > longestName { break }
      name += wholeName + word
    }
    return name
  }

  private static func tokens(ofYear year: Int?) -> [String] {
    year.map { tokens("\($0)") } ?? []
  }

  /// Returns the text of a column.
  static func text(_ tokens: [String]) -> String { tokens.joined(separator: " ") }

  /// Returns the tokens in the text of a column.
  static func tokens(ofColumn text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: " ")).map { String($0) ?? "" }
  }
}
