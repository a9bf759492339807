import Text

/// Which order a text is an edited form of. It stands in the text, so that a text says by itself
/// what it is to be merged with.
struct TextOrigin: Equatable {
  var sequence: Int
  var scope: TextScope

  private static let mark = "# sequence "

  var line: String { Self.mark + "\(sequence)" + scope.words }

  init(sequence: Int, scope: TextScope) {
    self.sequence = sequence
    self.scope = scope
  }

  /// Nil where no line says so.
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

/// Which part of the order a text is about.
struct TextScope: Equatable {
  /// The one crate; nil for all.
  var crate: String?
  /// The id of the one album.
  var album: String?
  var hasSongs = false

  private static let songsMark = ", with songs"
  private static let albumMark = ", album "
  private static let crateMark = ", crate "
  /// The mark of a crate in texts of the first edition.
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

  /// Whether it is about the same crate or album, with songs or without.
  func isSamePart(as other: TextScope) -> Bool {
    if let album { return album == other.album }
    return other.album == nil && crate.map { folded($0) } == other.crate.map { folded($0) }
  }

  /// Whether there are lines of songs in a text.
  static func hasSongs(_ text: String) -> Bool {
    text.split(whereSeparator: \.isNewline).contains { line in
      let word = line.drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
      return ["song", "gone", "offline"].contains(word)
    }
  }
}
