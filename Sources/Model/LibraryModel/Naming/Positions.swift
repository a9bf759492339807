/// A list of positions as the user writes it: `3`, `3-7`, `3,5,9-`, `-1`, `last`, `-3-`. Positions
/// count from 1, or from the end.
package struct Positions: Hashable, Sendable {
  /// One end of a range.
  enum End: Hashable {
    case fromTop(Int)
    /// 1 is the last.
    case fromEnd(Int)

    func number(of count: Int) -> Int {
      switch self {
      case .fromTop(let number): number
      case .fromEnd(let number): count + 1 - number
      }
    }
  }

  struct Span: Hashable {
    var first: End
    /// The last position. Nil for all that follow the first.
    var last: End?
  }

  private(set) var spans: [Span] = []

  /// The most bytes of a list.
  private static let longest = 4096

  /// Returns nil for a word that is no list of positions.
  package init?(_ word: String) {
    guard word.utf8.count <= Self.longest else { return nil }
    for part in word.split(separator: ",", omittingEmptySubsequences: false) {
      var rest = part
      guard let first = Self.end(&rest) else { return nil }
      var span = Span(first: first, last: first)
      if rest.first == "-" {
        rest.removeFirst()
        span.last = nil
        if !rest.isEmpty {
          guard let last = Self.end(&rest) else { return nil }
          span.last = last
        }
      }
      guard rest.isEmpty else { return nil }
      spans.append(span)
    }
  }

  /// Removes `3`, `-3` or `last` from the beginning. Position 0 is invalid.
  private static func end(_ rest: inout Substring) -> End? {
    if rest.hasPrefix("last") {
      rest = rest.dropFirst("last".count)
      return .fromEnd(1)
    }
    let isFromEnd = rest.first == "-"
    let digits = (isFromEnd ? rest.dropFirst() : rest).prefix {
      $0.isASCII && $0.isWholeNumber
    }
    guard let number = Int(digits), number > 0 else { return nil }
    rest = rest[digits.endIndex...]
    return isFromEnd ? .fromEnd(number) : .fromTop(number)
  }

  /// Returns the positions within 1...count, each once, in the given order. Nil if one of them does
  /// not exist.
  package func chosen(of count: Int) -> [Int]? {
    var chosen: [Int] = []
    var seen: Set<Int> = []
    for span in spans {
      let first = span.first.number(of: count)
      let last = span.last?.number(of: count) ?? count
      guard first >= 1, first <= last, last <= count else { return nil }
      for position in first...last where seen.insert(position).inserted {
        chosen.append(position)
      }
    }
    return chosen
  }
}
