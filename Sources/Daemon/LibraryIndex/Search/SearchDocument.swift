import LibraryModel

/// What of an album or a song is searched.
struct SearchDocument: Equatable {
  var artist: [String]
  /// Of a song; empty for an album, whose artist is `artist`.
  var albumArtist: [String] = []
  var album: [String]
  /// Empty for an album: its name is `album`.
  var title: [String] = []
  var year: [String]
  /// Of an album, those of its songs.
  var composer: [String]
  var genre: [String]
  var path: [String]

  /// - Parameter songs: the listed ones.
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

  /// Those of each text once.
  private static func tokens(ofEach texts: [String]) -> [String] {
    var seen: Set<String> = []
    let lists = texts.filter { seen.insert($0).inserted }.map { tokens($0) }
    return Array(lists.joined(separator: [divider]))
  }

  private static func tokens(ofPath path: BytePath) -> [String] {
    tokens(
      String(decoding: path.bytes.map { $0 == UInt8(ascii: "/") ? 0x20 : $0 }, as: UTF8.self))
  }

  /// Between texts, and between the words of one and other ways to write them: no phrase reaches
  /// beyond it, since no query has it.
  private static let divider = "\u{E100}"
  /// Begins and divides the one token that a whole name is; no query of a person's has it.
  private static let wholeName = "\u{E101}"
  private static let longestName = 400

  static func tokens(_ text: String) -> [String] { tokens(SearchWords(text)) }

  private static func tokens(_ found: SearchWords) -> [String] {
    let others = found.joined + found.signs
    return others.isEmpty ? found.words : found.words + [divider] + others
  }

  /// The tokens of a name, which can be found by being the same.
  static func tokens(ofName text: String) -> [String] {
    let found = SearchWords(text)
    return tokens(found) + (found.words.isEmpty ? [] : [divider, wholeName(found.words)])
  }

  /// What the token of a name begins with that has more words behind these.
  static func unfinishedName(_ words: [String]) -> String { wholeName(words) + wholeName }

  /// A name of these words and no others, as one token; without the last ones, it begins so.
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

  /// The text as it stands in a column.
  static func text(_ tokens: [String]) -> String { tokens.joined(separator: " ") }

  /// What stands in a column.
  static func tokens(ofColumn text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: " ")).map { String($0) ?? "" }
  }
}
