/// A name, optionally followed by positions inside it.
struct WhatArgument: Equatable {
  /// The words as they were typed.
  var words: [String]

  /// The most positions: crate, album and song are two levels below the first.
  static let levelsMost = 2

  var name: String { words[0] }
  var hasPositions: Bool { words.count > 1 }

  /// Whether it lists several positions one by one.
  var isList: Bool { words.dropFirst().contains { $0.contains(",") } }

  /// Whether it names several things together, such as a range, however many there are.
  var isOfSeveral: Bool {
    guard let last = words.dropFirst().last else { return mark == .query }
    return last != PositionList.last && Int(last) == nil
  }

  var text: String { words.joined(separator: " ") }

  /// Parses one name or several. A word that is not a list of positions begins a new name.
  static func read(_ words: [String]) throws(Failure) -> [WhatArgument] {
    var whats: [WhatArgument] = []
    for word in words {
      if let last = whats.indices.last, PositionList.isLike(word) {
        try PositionList.check(word)
        whats[last].words.append(word)
        guard whats[last].words.count <= levelsMost + 1 else {
          throw .wrongUse("“\(word)” is one position too many: a song has nothing inside it")
        }
      } else {
        whats.append(try WhatArgument(name: word))
      }
    }
    return whats
  }

  init(name: String) throws(Failure) {
    words = [name]
    if unmarked.allSatisfy(\.isWhitespace) { throw .wrongUse("a name is empty") }
  }

  // MARK: What its name says

  /// The prefixes of a name that say what it denotes.
  enum Mark: String, CaseIterable {
    case id = "id:"
    case crate = "crate:"
    case album = "album:"
    case song = "song:"
    /// A query of `crate find`.
    case query = "find:"
  }

  static func mark(of word: String) -> Mark? {
    Mark.allCases.first { word.hasPrefix($0.rawValue) }
  }

  var mark: Mark? { Self.mark(of: name) }

  /// The name without its prefix.
  var unmarked: String { String(name.dropFirst(mark?.rawValue.count ?? 0)) }

  var isPath: Bool { FileAddress.isMeant(by: name) }
}

/// A list such as `3`, `3-7`, `3,5,9-`, `-1` or `last`, which the daemon interprets.
enum PositionList {
  static let last = "last"

  /// Whether the word looks like a list of positions. Behind a name it is then read as one.
  static func isLike(_ word: String) -> Bool {
    let rest = word.replacing(last, with: "")
    return rest.utf8.allSatisfy(isSign)
      && (rest.count < word.count || rest.utf8.contains { $0 >= UInt8(ascii: "0") })
  }

  private static func isSign(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "-")
  }

  /// Throws if the list is invalid.
  static func check(_ word: String) throws(Failure) {
    for part in word.split(separator: ",", omittingEmptySubsequences: false) {
      var rest = part
      guard let first = end(&rest) else { throw mistake(word) }
      if rest.isEmpty { continue }
      guard rest.removeFirst() == "-" else { throw mistake(word) }
      if rest.isEmpty { continue }
      guard let second = end(&rest), rest.isEmpty else { throw mistake(word) }
      if first > 0, second > 0, second < first {
        throw .wrongUse("“\(part)” runs backwards; write \(second)-\(first)")
      }
    }
  }

  private static func mistake(_ word: String) -> Failure {
    .wrongUse("“\(word)” is not a position; write 3, 3-7 or 3,5,9- (counting from 1), -1 or last")
  }

  /// Parses one end of a range; negative numbers count from the end.
  private static func end(_ rest: inout Substring) -> Int? {
    if rest.hasPrefix(last) {
      rest = rest.dropFirst(last.count)
      return -1
    }
    let isFromEnd = rest.first == "-"
    let digits = (isFromEnd ? rest.dropFirst() : rest).prefix { $0.isASCII && $0.isWholeNumber }
    guard let number = Int(digits), number > 0 else { return nil }
    rest = rest[digits.endIndex...]
    return isFromEnd ? -number : number
  }
}
