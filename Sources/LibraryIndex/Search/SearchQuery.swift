/// What a person searches for. Every text is a query; one without a word finds nothing.
package struct SearchQuery: Equatable, Sendable {
  enum Field: String {
    case artist, album, title, year, path
  }

  /// A word or a phrase.
  struct Term: Equatable, Sendable {
    /// Nil: artist, album or title.
    var field: Field?
    /// One after the other; the last one may be the beginning of a word.
    var words: [String]
    /// Another way to write them.
    var joined: String?
  }

  private(set) var terms: [Term] = []

  /// Terms that are looked for; what follows is left out, so more may be found.
  static let mostTerms = 32
  /// Bytes of a query that are looked at.
  static let longest = 4096

  package init(_ text: String) {
    var signs: [Term] = []
    var rest = text.cutToCharacters(within: Self.longest)
    while let (field, piece) = Self.nextPiece(of: &rest), terms.count < Self.mostTerms {
      let found = SearchWords(piece)
      if !found.words.isEmpty {
        terms.append(Term(field: field, words: found.words, joined: found.joined.only))
      } else if signs.count < Self.mostTerms {
        signs += found.signs.map { Term(field: field, words: [$0], joined: nil) }
      }
    }
    // A dash or “&” between words is not looked for; a name that has nothing else is.
    if terms.isEmpty { terms = Array(signs.prefix(Self.mostTerms)) }
  }

  package var isEmpty: Bool { terms.isEmpty }

  /// Takes `word`, `field:word`, `"a phrase"` or `field:"a phrase"` off the beginning.
  private static func nextPiece(of text: inout Substring) -> (Field?, Substring)? {
    text = text.drop(while: \.isWhitespace)
    if text.isEmpty { return nil }
    var field: Field?
    if let colon = text.prefix(while: { !$0.isWhitespace }).firstIndex(of: ":"),
      let named = Field(rawValue: text[..<colon].lowercased())
    {
      field = named
      text = text[text.index(after: colon)...]
    }
    if let quote = text.first, isQuote(quote) {
      text.removeFirst()
      let phrase = text.prefix { !isQuote($0) }
      text = text[phrase.endIndex...].dropFirst()
      return (field, phrase)
    }
    let word = text.prefix { !$0.isWhitespace }
    text = text[word.endIndex...]
    return (field, word)
  }

  private static func isQuote(_ character: Character) -> Bool {
    character == "\"" || character == "\u{201C}" || character == "\u{201D}"
  }
}

extension Array {
  fileprivate var only: Element? { count == 1 ? first : nil }
}

extension String {
  /// Its beginning, whole characters, in at most so many bytes.
  fileprivate func cutToCharacters(within bytes: Int) -> Substring {
    if utf8.count <= bytes { return self[...] }
    var end = utf8.index(startIndex, offsetBy: bytes)
    while end.samePosition(in: self) == nil { end = utf8.index(before: end) }
    return self[..<end]
  }
}
