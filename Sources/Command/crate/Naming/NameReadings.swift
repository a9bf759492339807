import CratesInterface

/// The ways to split the words of a command line into names. Unquoted words may belong to one name,
/// as in `crate move The Wall top`.
struct NameReadings {
  /// A name with its positions, and the range of its words.
  struct Part {
    var words: Range<Int>
    var what: WhatArgument
    var meaning = Interface.Meaning()

    /// Whether only songs have the name.
    fileprivate var isSong: Bool { !what.hasPositions && meaning.what.first?.song != nil }
  }

  let words: [String]
  /// The words as single names with positions; empty if they can't be read that way.
  var typed: [Part] = []
  /// Several words as one name.
  private(set) var joined: [Part] = []

  /// The most words of an unquoted name.
  private static let nameMost = 12
  /// The most words of a command line. Longer ones are written by programs, which quote names.
  private static let wordsMost = 200
  /// The most readings of the whole line to compare.
  private static let readingsMost = 8

  init(_ words: [String], typed whats: [WhatArgument]) {
    self.words = words
    var start = 0
    for what in whats {
      typed.append(Part(words: start..<(start + what.words.count), what: what))
      start += what.words.count
    }
  }

  // MARK: Names of several words

  /// Finds the names that consist of several words. A number behind a word that is a name by itself
  /// is a position, and not part of the name.
  mutating func join() throws(Failure) {
    guard words.count <= Self.wordsMost else { return }
    for start in words.indices where Self.mayBegin(words[start]) {
      let isNamed = typed.contains { $0.words.lowerBound == start && !$0.meaning.what.isEmpty }
      for end in (start + 1)..<min(words.count, start + Self.nameMost) {
        guard Self.mayContinue(words[end]), !isNamed || !PositionList.isLike(words[end]) else {
          break
        }
        let positions = words[(end + 1)...].prefix(while: PositionList.isLike)
        guard positions.count <= WhatArgument.levelsMost else { continue }
        var what = try WhatArgument(name: words[start...end].joined(separator: " "))
        what.words += positions
        joined.append(Part(words: start..<(end + 1 + positions.count), what: what))
      }
    }
  }

  mutating func setJoined(_ meanings: [Interface.Meaning]) {
    for (place, meaning) in zip(joined.indices, meanings) { joined[place].meaning = meaning }
  }

  private static func mayBegin(_ word: String) -> Bool {
    switch WhatArgument.mark(of: word) {
    case .id, .query: false
    case nil, .crate, .album, .song: isBare(word)
    }
  }

  private static func mayContinue(_ word: String) -> Bool {
    WhatArgument.mark(of: word) == nil && isBare(word)
  }

  /// A word with a blank was quoted, and is a whole name.
  private static func isBare(_ word: String) -> Bool {
    !word.isEmpty && !word.contains(where: \.isWhitespace) && !FileAddress.isMeant(by: word)
  }

  // MARK: Readings of all words

  private var meaningful: [Part] { (typed + joined).filter { !$0.meaning.what.isEmpty } }

  /// The ways to read all words such that every part is resolved. A reading with a song counts only
  /// if there is no other.
  var whole: [[Part]] {
    let parts = Dictionary(grouping: meaningful, by: \.words.lowerBound)
    var readings: [[[Part]]] = Array(repeating: [], count: words.count) + [[[]]]
    for start in words.indices.reversed() {
      for part in parts[start] ?? [] {
        readings[start] += readings[part.words.upperBound].map { [part] + $0 }
      }
      readings[start] = Array(readings[start].prefix(Self.readingsMost))
    }
    let withoutSongs = readings[0].filter { !$0.contains(where: \.isSong) }
    return withoutSongs.isEmpty ? readings[0] : withoutSongs
  }

  /// The first word that can't be resolved in any reading.
  var stuck: Int {
    var reached: Set<Int> = [0]
    for part in meaningful.sorted(by: { $0.words.lowerBound < $1.words.lowerBound })
    where reached.contains(part.words.lowerBound) {
      reached.insert(part.words.upperBound)
    }
    return reached.max() ?? 0
  }

  /// A query with all that follows it, if the next word has no meaning: it should have been quoted.
  var cutQuery: String? {
    let query = typed.last { $0.what.mark == .query && $0.words.lowerBound <= stuck }
    guard let end = query?.words.upperBound, end < words.count, end >= stuck,
      !meaningful.contains(where: { $0.words.lowerBound == end }), let query
    else { return nil }
    return words[query.words.lowerBound...].joined(separator: " ")
  }

  /// Returns the words without the commas and the “and” between names, as in `Blue Train, Head
  /// Hunters and Thrust`; nil if there are none.
  static func withoutLinks(_ words: [String]) -> [String]? {
    let isLink = { (word: String) in word == "and" || word.hasSuffix(",") }
    guard words.dropFirst().contains(where: isLink) else { return nil }
    var rest: [String] = []
    for (word, next) in zip(words, words.dropFirst() + [""]) {
      // `Jazz 1, 3` is a list of positions with a blank in it.
      if word.hasSuffix(","), PositionList.isLike(word), PositionList.isLike(next) { return nil }
      let name = word.hasSuffix(",") ? String(word.dropLast()) : word
      if !name.isEmpty, name != "and" { rest.append(name) }
    }
    return rest
  }

  /// Returns the names of several words that begin at a word, the longest first.
  func names(at start: Int) -> [Part] {
    joined.filter { $0.words.lowerBound == start }.reversed()
  }

  /// Returns the longest possible name at a word, up to the next word that is resolved.
  func unknown(at start: Int) -> Part? {
    let next = meaningful.map(\.words.lowerBound).filter { $0 > start }.min() ?? words.count
    return names(at: start).first { $0.words.upperBound <= next }
      ?? typed.first { $0.words.lowerBound == start }
  }

  /// Returns the failure for several readings.
  static func ambiguity(_ words: [String], _ readings: [[Part]]) -> Failure {
    let either = readings.map { parts in parts.map(shown).joined(separator: " ") }
    return .refused(
      "“\(words.joined(separator: " "))” may be \(Shown.either(either)); write one of these")
  }

  private static func shown(_ part: Part) -> String {
    var words = part.what.words.map(Shown.word)
    if part.words.count == part.what.words.count, part.what.mark == nil,
      let kind = part.what.hasPositions ? nil : part.meaning.what.first?.kind
    {
      words[0] = "\(kind):\(words[0])"
    }
    return words.joined(separator: " ")
  }
}
