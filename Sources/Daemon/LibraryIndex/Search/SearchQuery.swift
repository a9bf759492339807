import LibraryModel

/// A query as the user typed it. Every text is a query; a text without a word finds nothing.
package struct SearchQuery: Equatable, Sendable {
  enum Field: String, CaseIterable {
    case artist, album, title, year, composer, genre, path

    /// Whether the column is in the table of rare columns.
    var isRare: Bool { [.composer, .genre, .path].contains(self) }
  }

  /// A word or a phrase.
  struct Term: Equatable, Sendable {
    /// The column; nil for artist, album or title.
    var field: Field?
    /// The words of the phrase; the last one may be the beginning of a word.
    var words: [String]
    /// The words joined, if they are written without blanks.
    var joined: String?
  }

  private(set) var terms: [Term] = []
  /// Terms that results must not contain.
  private(set) var excluded: [Term] = []
  /// Ranges in each of which the year has to be.
  private(set) var years: [ClosedRange<Int>] = []
  /// Ranges in none of which the year may be.
  private(set) var excludedYears: [ClosedRange<Int>] = []

  /// The maximum number of terms of each kind; later ones are ignored, so more may be found.
  static let mostTerms = 32
  /// The number of bytes of a query that are read.
  static let longest = 4096

  package init(_ text: String) {
    var signs: [Term] = []
    var rest = text.cut(toBytes: Self.longest)[...]
    while let next = Self.nextPiece(of: &rest), terms.count < Self.mostTerms {
      let (field, piece) = (next.field, next.text)
      if field == .year, let range = Self.years(piece) {
        if next.isExcluded {
          if excludedYears.count < Self.mostTerms { excludedYears.append(range) }
        } else if years.count < Self.mostTerms {
          years.append(range)
        }
        continue
      }
      let found = SearchWords(piece)
      if next.isExcluded {
        if !found.words.isEmpty, excluded.count < Self.mostTerms {
          excluded.append(Term(field: field, words: found.words, joined: found.joined.only))
        }
        continue
      }
      if !found.words.isEmpty {
        terms.append(Term(field: field, words: found.words, joined: found.joined.only))
      } else {
        signs += found.signs.map { Term(field: field, words: [$0], joined: nil) }
      }
    }
    // Signs between words are ignored, unless the query has nothing else.
    if terms.isEmpty { terms = Array(signs.prefix(Self.mostTerms)) }
  }

  package var isEmpty: Bool { terms.isEmpty && years.isEmpty }

  /// Parses `1970-1979`, `1990-` or `-1969`; returns nil for anything else.
  private static func years(_ text: Substring) -> ClosedRange<Int>? {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, ends.contains(where: { !$0.isEmpty }),
      ends.allSatisfy({ $0.isEmpty || $0.utf8.count == 4 })
    else { return nil }
    // From a year on, or up to a year.
    let last = ends[1].isEmpty ? mostYear : Int(ends[1])
    guard let last, let first = ends[0].isEmpty ? max(1, last - mostYears) : Int(ends[0]),
      first > 0, first <= last
    else { return nil }
    return first...min(last, first + mostYears)
  }

  private static let mostYear = 9999
  /// The maximum number of years in a range; a longer one is cut at its end.
  private static let mostYears = 400

  private struct Piece {
    var field: Field?
    var isExcluded: Bool
    var text: Substring
  }

  /// Parses the next `word`, `-word`, `field:word`, `-field:word`, `"a phrase"`, `-"a phrase"` or
  /// `field:"a phrase"`.
  private static func nextPiece(of text: inout Substring) -> Piece? {
    text = text.drop(while: \.isWhitespace)
    if text.isEmpty { return nil }
    var field: Field?
    var isExcluded = false
    if let colon = text.prefix(while: { !$0.isWhitespace }).firstIndex(of: ":") {
      let isDashed = text.first == "-"
      let name = text[..<colon].dropFirst(isDashed ? 1 : 0)
      if let named = Field(rawValue: name.lowercased()) {
        (field, isExcluded) = (named, isDashed)
        text = text[text.index(after: colon)...]
      }
    }
    if field == nil, text.first == "-", let next = text.dropFirst().first,
      isQuote(next) || next.isLetter || next.isNumber
    {
      isExcluded = true
      text.removeFirst()
    }
    if let quote = text.first, isQuote(quote) {
      text.removeFirst()
      let phrase = text.prefix { !isQuote($0) }
      text = text[phrase.endIndex...].dropFirst()
      return Piece(field: field, isExcluded: isExcluded, text: phrase)
    }
    let word = text.prefix { !$0.isWhitespace }
    text = text[word.endIndex...]
    return Piece(field: field, isExcluded: isExcluded, text: word)
  }

  private static func isQuote(_ character: Character) -> Bool {
    character == "\"" || character == "\u{201C}" || character == "\u{201D}"
  }
}

/// A mistake in a query as the user typed it.
package struct QueryMistake: Error, Equatable, Sendable {
  package var word: String
  /// The reason as a sentence without its full stop.
  package var reason: String
}

extension SearchQuery {
  /// Parses a query strictly.
  ///
  /// - Throws: the first word with an unknown field, or with a year that is none.
  package init(checking text: String) throws(QueryMistake) {
    var rest = text.cut(toBytes: Self.longest)[...]
    while true {
      let start = rest.drop(while: \.isWhitespace)
      guard let piece = Self.nextPiece(of: &rest) else { break }
      let word = String(start.prefix { !$0.isWhitespace })
      if Self.asksForUnknownField(word[...]) {
        let fields = Field.allCases.map(\.rawValue).joined(separator: ", ")
        throw QueryMistake(
          word: word,
          reason: "there is no such field; there are \(fields), and quotes make it text")
      }
      if piece.field == .year, !piece.text.isEmpty, !Self.isYear(piece.text) {
        throw QueryMistake(
          word: word, reason: "write a year, such as 1959, or a range, such as 1950-1959 or 1990-")
      }
    }
    self.init(text)
  }

  /// Returns whether a word looks like a field and a value, but with an unknown field name. `10:15`
  /// and `Mission: Impossible` are text.
  private static func asksForUnknownField(_ word: Substring) -> Bool {
    guard let colon = word.firstIndex(of: ":"), word.index(after: colon) < word.endIndex else {
      return false
    }
    var name = word[..<colon]
    if name.first == "-" { name.removeFirst() }
    return !name.isEmpty && name.allSatisfy(\.isLetter)
      && Field(rawValue: name.lowercased()) == nil
  }

  /// Returns whether the text is a year, the beginning of one, or a range of years.
  private static func isYear(_ text: Substring) -> Bool {
    years(text) != nil || text.utf8.count <= 4 && text.allSatisfy { $0.isASCII && $0.isNumber }
  }
}

extension Array {
  fileprivate var only: Element? { count == 1 ? self[0] : nil }
}
