import Text

/// A song as a list describes it. Empty, nil or 0 means that the list doesn't say.
package struct WantedSong: Hashable, Sendable {
  /// The song's id in another Crated, where the same file has the same id.
  package var id = ""
  /// A path or a `file:` URI, as in the list. If it isn't UTF-8, invalid bytes and `%` are
  /// percent-encoded; the lookup also tries it decoded.
  package var path = ""
  package var title = ""
  package var artist = ""
  package var album = ""
  package var albumArtist = ""
  package var disc: Int?
  package var track: Int?
  package var milliseconds = 0
  /// The MusicBrainz recording id.
  package var recording = ""
  /// The MusicBrainz release id.
  package var release = ""

  package init() {}

  /// The values that other programs' formats contain.
  enum Field {
    case path, title, artist, album, albumArtist, disc, track, recording, release
    case seconds, milliseconds
    /// A path whose leading and trailing blanks count.
    case exactPath
  }

  /// Sets a value from a format's text. An invalid text counts as missing.
  mutating func set(_ field: Field, to text: String) {
    let value = words(text)
    switch field {
    case .path: path = value
    case .exactPath: path = text
    case .title: title = value
    case .artist: artist = value
    case .album: album = value
    case .albumArtist: albumArtist = value
    case .disc: disc = positive(value)
    case .track: track = positive(value)
    case .recording: recording = musicBrainzID(value)
    case .release: release = musicBrainzID(value)
    case .seconds: milliseconds = ImportedLists.milliseconds(ofSeconds: value)
    case .milliseconds: milliseconds = ImportedLists.milliseconds(Int(value))
    }
  }

  /// Sets artist and title from the text that a player shows: `artist - title`, or the title alone.
  /// iTunes writes `title - artist`, which looks the same; the lookup tries both.
  mutating func setTitle(shown text: ArraySlice<UInt8>) {
    let shown = words(text)
    // Some players show the file name instead.
    let name = path.split { $0 == "/" || $0 == "\\" }.last ?? ""
    let stem = name.lastIndex(of: ".").map { name[..<$0] }
    if shown == name || stem.map({ shown == $0 }) == true { return }
    guard let dash = shown.firstRange(of: " - ") else { return title = shown }
    artist = words(String(shown[..<dash.lowerBound]))
    title = words(String(shown[dash.upperBound...]))
  }

  /// The path shown to the user, decoded if it is a `file:` URL.
  package var shownPath: String {
    guard path.lowercased().hasPrefix("file:") else { return path }
    var rest = path.utf8.dropFirst(5)
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2).drop { $0 != UInt8(ascii: "/") }
    }
    var decoded = percentDecodedIfEscaped(Array(rest))[...]
    // A Windows drive: file:///C:/Music.
    if decoded.count > 2, decoded[2] == UInt8(ascii: ":") { decoded = decoded.dropFirst() }
    return String(validating: decoded, as: UTF8.self) ?? path
  }
}
