/// How the person names one thing, or several at positions inside it.
struct Target: Equatable {
  enum Name: Equatable {
    /// A full id, an exact name or the beginning of an id, in that order.
    case any(String)
    case id(String)
    case crate(String)
    case album(String)
  }

  var name: Name
  /// Positions one level down each.
  var levels: [Positions] = []

  /// Crate, album, song: two levels below the first.
  static let levelsMost = 2

  /// Reads the words of a WHAT. A word that is no list of positions names another thing.
  static func read(_ words: [String]) throws(Failure) -> [Target] {
    var targets: [Target] = []
    for word in words {
      if let last = targets.indices.last, let positions = try Positions(word) {
        targets[last].levels.append(positions)
        guard targets[last].levels.count <= levelsMost else {
          throw .wrongUse("\(word) is one position too many: a song has nothing inside it")
        }
      } else {
        targets.append(Target(name: try Name(word)))
      }
    }
    return targets
  }
}

extension Target.Name {
  init(_ word: String) throws(Failure) {
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count == 2 ? String(parts[1]) : ""
    switch parts.first {
    case "id"? where parts.count == 2: self = .id(rest)
    case "crate"? where parts.count == 2: self = .crate(rest)
    case "album"? where parts.count == 2: self = .album(rest)
    default: self = .any(word)
    }
    if text.allSatisfy(\.isWhitespace) { throw .wrongUse("a name is empty") }
  }

  var text: String {
    switch self {
    case .any(let text), .id(let text), .crate(let text), .album(let text): text
    }
  }
}

/// A list such as `3`, `3-7` or `3,5,9-`.
struct Positions: Equatable {
  /// The last is `nil` for all that follow.
  struct Range: Equatable {
    var first: Int
    var last: Int?
  }

  var ranges: [Range]

  init(ranges: [Range]) {
    self.ranges = ranges
  }

  /// `nil` for a word that does not look like positions at all.
  init?(_ word: String) throws(Failure) {
    let isList = word.utf8.allSatisfy {
      $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") || $0 == UInt8(ascii: ",")
        || $0 == UInt8(ascii: "-")
    }
    guard isList, word.utf8.contains(where: { $0 >= UInt8(ascii: "0") && $0 != UInt8(ascii: "-") })
    else { return nil }
    ranges = []
    for part in word.split(separator: ",", omittingEmptySubsequences: false) {
      ranges.append(try Self.range(part, in: word))
    }
  }

  private static func range(_ part: Substring, in word: String) throws(Failure) -> Range {
    let ends = part.split(separator: "-", omittingEmptySubsequences: false)
    let mistake = Failure.wrongUse("\(word) is no list of positions, such as 3, 3-7 or 3,5,9-")
    guard let first = ends.first.flatMap({ Int($0) }), first >= 1 else { throw mistake }
    switch ends.count {
    case 1: return Range(first: first, last: first)
    case 2 where ends[1].isEmpty: return Range(first: first, last: nil)
    case 2:
      guard let last = Int(ends[1]), last >= first else { throw mistake }
      return Range(first: first, last: last)
    default: throw mistake
    }
  }

  /// The positions among 1...count, each once, in the order in which they were given. Throws for
  /// one that is not there.
  func chosen(of count: Int, in name: String) throws(Failure) -> [Int] {
    var chosen: [Int] = []
    var seen: Set<Int> = []
    for range in ranges {
      let last = range.last ?? max(count, range.first)
      guard last <= count else {
        throw .refused("there is no position \(last) in \(name), which has \(count)")
      }
      for position in range.first...last where seen.insert(position).inserted {
        chosen.append(position)
      }
    }
    return chosen
  }
}

/// What ids look like.
enum Identifier {
  static let length = 12
  /// The shortest beginning that may stand for an id.
  static let prefixLeast = 4
  private static let letters = Set("abcdefghijkmnpqrstuvwxyz23456789".utf8)

  /// Whether the text may be an id or the beginning of one.
  static func canBegin(with text: String) -> Bool {
    (prefixLeast...length).contains(text.utf8.count) && text.utf8.allSatisfy(letters.contains)
      && text.first?.isLetter ?? false
  }
}
