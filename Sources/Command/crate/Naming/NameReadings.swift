import CratesInterface

/// The ways in which the words of a command line can be cut into names. Words that are not quoted
/// may belong to one name, as in `crate move The Wall top`.
struct NameReadings {
  /// A WHAT, and which of the words it takes.
  struct Part {
    var words: Range<Int>
    var what: WhatArgument
    var meaning = Interface.Meaning()

    /// Whether nothing but a song has the name.
    fileprivate var isSong: Bool { !what.hasPositions && meaning.what.first?.song != nil }
  }

  let words: [String]
  /// Each word for itself, as names and positions; empty where they can't be read so.
  var typed: [Part] = []
  /// Several words as one name.
  private(set) var joined: [Part] = []

  /// The words of the longest name that is looked for without quotes.
  private static let nameMost = 12
  /// Longer lines are a program's, which quotes what it names.
  private static let wordsMost = 200
  /// Readings of the whole line that are compared.
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

  /// Finds the names that several words may be. A number after a word that means something by
  /// itself is a position in it, and no part of a name.
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

  /// What has a blank in it was quoted, and is a whole name.
  private static func isBare(_ word: String) -> Bool {
    !word.isEmpty && !word.contains(where: \.isWhitespace) && !FileAddress.isMeant(by: word)
  }

  // MARK: Readings of all words

  private var meaningful: [Part] { (typed + joined).filter { !$0.meaning.what.isEmpty } }

  /// The ways to read all words so that each part means something. One in which a song is named
  /// counts only where there is no other.
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

  /// Where nothing can be read any more: the first word of what is not understood.
  var stuck: Int {
    var reached: Set<Int> = [0]
    for part in meaningful.sorted(by: { $0.words.lowerBound < $1.words.lowerBound })
    where reached.contains(part.words.lowerBound) {
      reached.insert(part.words.upperBound)
    }
    return reached.max() ?? 0
  }

  /// A query and all that follows it, where the next word means nothing: it was to be quoted.
  var cutQuery: String? {
    let query = typed.last { $0.what.mark == .query && $0.words.lowerBound <= stuck }
    guard let end = query?.words.upperBound, end < words.count, end >= stuck,
      !meaningful.contains(where: { $0.words.lowerBound == end }), let query
    else { return nil }
    return words[query.words.lowerBound...].joined(separator: " ")
  }

  /// The same words without the commas between names, as in `Blue Train, Head Hunters`; nil where
  /// there are none.
  static func withoutCommas(_ words: [String]) -> [String]? {
    guard words.contains(where: { $0.hasSuffix(",") }) else { return nil }
    var rest: [String] = []
    for (word, next) in zip(words, words.dropFirst() + [""]) {
      // `Jazz 1, 3` is a list of positions with a blank in it.
      if word.hasSuffix(","), PositionList.isLike(word), PositionList.isLike(next) { return nil }
      let name = word.hasSuffix(",") ? String(word.dropLast()) : word
      if !name.isEmpty { rest.append(name) }
    }
    return rest
  }

  /// The names of several words that begin there, the longest first.
  func names(at start: Int) -> [Part] {
    joined.filter { $0.words.lowerBound == start }.reversed()
  }

  /// All that may be one name there, up to the next word that means something.
  func unknown(at start: Int) -> Part? {
    let next = meaningful.map(\.words.lowerBound).filter { $0 > start }.min() ?? words.count
    return names(at: start).first { $0.words.upperBound <= next }
      ?? typed.first { $0.words.lowerBound == start }
  }

  /// What to say where there are several.
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
