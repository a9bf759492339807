import Text

/// The order from which a text was made. It is recorded in the text, so that the text can be merged
/// without further information.
struct TextOrigin: Equatable {
  var sequence: Int
  var scope: TextScope

  private static let mark = "# sequence "

  var line: String { Self.mark + "\(sequence)" + scope.words }

  init(sequence: Int, scope: TextScope) {
    self.sequence = sequence
    self.scope = scope
  }

  /// Returns nil if no line contains the origin.
  init?(in text: String) {
    for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix(Self.mark) {
      let rest = line.dropFirst(Self.mark.count)
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard let number = Int(digits) else { continue }
      sequence = number
      scope = TextScope(words: rest.dropFirst(digits.count))
      if TextScope.hasSongs(text) { scope.hasSongs = true }
      return
    }
    return nil
  }
}

/// The part of the order that a text contains.
struct TextScope: Equatable {
  /// The name of the crate; nil for all crates.
  var crate: String?
  /// The id of the album, if the text has only one.
  var album: String?
  var hasSongs = false

  private static let songsMark = ", with songs"
  private static let albumMark = ", album "
  private static let crateMark = ", crate "
  /// The mark of a crate in the first version of the format.
  private static let formerMark = " crate "

  init() {}

  init(words: Substring) {
    var rest = words
    func take(_ mark: String) -> Bool {
      guard rest.hasPrefix(mark) else { return false }
      rest = rest.dropFirst(mark.count)
      return true
    }
    hasSongs = take(Self.songsMark)
    if take(Self.albumMark) {
      album = String(rest.prefix { !$0.isWhitespace })
    } else if take(Self.crateMark) || take(Self.formerMark) {
      crate = String(rest)
    }
  }

  var words: String {
    (hasSongs ? Self.songsMark : "") + (album.map { Self.albumMark + $0 } ?? "")
      + (crate.map { Self.crateMark + $0 } ?? "")
  }

  /// Whether both scopes are the same crate or album, with songs or without.
  func isSamePart(as other: TextScope) -> Bool {
    if let album { return album == other.album }
    return other.album == nil && crate.map { folded($0) } == other.crate.map { folded($0) }
  }

  /// Whether a text has lines of songs.
  static func hasSongs(_ text: String) -> Bool {
    text.split(whereSeparator: \.isNewline).contains { line in
      let word = line.drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
      return ["song", "gone", "offline"].contains(word)
    }
  }
}
