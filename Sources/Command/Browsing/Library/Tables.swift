import Text

/// A small number for an album. Valid while the browser runs.
package struct AlbumID: Hashable, Sendable, BitwiseCopyable {
  package let number: Int32
}

/// A small number for a crate, which doesn't change when the crate is renamed.
package struct CrateID: Hashable, Sendable, BitwiseCopyable {
  package let number: Int32
}

/// The data of albums and crates without their order, by number.
struct Tables: Sendable {
  private var albumNumbers: [String: AlbumID] = [:]
  private var crateNumbers: [String: CrateID] = [:]
  private var nextCrate: Int32 = 0
  /// The albums by number. An album without loaded data has no title yet.
  private(set) var albums: [AlbumFacts] = []
  /// The searchable text of each album, cached at the first search.
  private var searched: [[UInt8]?] = []

  /// Returns the number of an album and assigns one if it has none.
  mutating func number(ofAlbum id: String) -> AlbumID {
    if let number = albumNumbers[id] { return number }
    let number = AlbumID(number: Int32(albums.count))
    albumNumbers[id] = number
    albums.append(AlbumFacts(id: id, crate: "", title: "", artist: "", songs: 0))
    searched.append(nil)
    return number
  }

  func known(album id: String) -> AlbumID? { albumNumbers[id] }

  /// Returns the number of a crate and assigns one if it has none.
  mutating func number(ofCrate name: String) -> CrateID {
    let name = folded(name)
    if let number = crateNumbers[name] { return number }
    let number = CrateID(number: nextCrate)
    nextCrate += 1
    crateNumbers[name] = number
    return number
  }

  func known(crate name: String) -> CrateID? { crateNumbers[folded(name)] }

  mutating func rename(_ crate: CrateID, from old: String, to new: String) {
    if crateNumbers[folded(old)] == crate { crateNumbers[folded(old)] = nil }
    crateNumbers[folded(new)] = crate
  }

  @discardableResult
  mutating func take(_ facts: AlbumFacts) -> AlbumID {
    let number = number(ofAlbum: facts.id)
    var facts = facts
    facts.crate = ""
    if self[number].title != facts.title || self[number].artist != facts.artist {
      searched[Int(number.number)] = nil
    }
    albums[Int(number.number)] = facts
    return number
  }

  mutating func noteMoved(_ album: AlbumID) { albums[Int(album.number)].isMoved = true }

  subscript(album: AlbumID) -> AlbumFacts { albums[Int(album.number)] }

  func came(_ album: AlbumID) -> Int { albums[Int(album.number)].came }
  func seconds(_ album: AlbumID) -> Double { albums[Int(album.number)].seconds }
  func isMoved(_ album: AlbumID) -> Bool { albums[Int(album.number)].isMoved }
  /// Whether more than the album's id is loaded.
  func isKnown(_ album: AlbumID) -> Bool { albums[Int(album.number)].songs > 0 }
  func isThere(_ album: AlbumID) -> Bool { albums[Int(album.number)].presence == .present }

  /// Returns the text in which a search looks for the album.
  mutating func searched(_ album: AlbumID) -> [UInt8] {
    if let text = searched[Int(album.number)] { return text }
    let facts = self[album]
    let text = Search.text("\(facts.title) \(facts.artist)")
    searched[Int(album.number)] = text
    return text
  }
}

/// A search for words in titles and names that ignores case and accents.
struct Search: Hashable, Sendable {
  private let words: [[UInt8]]
  /// The whole query with single blanks between the words.
  private let whole: [UInt8]

  init(_ query: String) {
    words = Self.text(query).split(separator: 0x20).map(Array.init)
    whole = Array(words.joined(separator: [0x20]))
  }

  var isEmpty: Bool { words.isEmpty }

  /// Whether every word occurs anywhere in the text.
  func finds(_ text: [UInt8]) -> Bool { match(text) != nil }

  /// The quality of a match, in ascending order.
  enum Match: Int, Hashable, Comparable, Sendable {
    case within
    /// Every word of the query begins a word of the text.
    case beginnings
    /// The text begins with the query.
    case beginning

    static func < (left: Match, right: Match) -> Bool { left.rawValue < right.rawValue }
  }

  /// Returns nil if the text lacks one of the words.
  func match(_ text: [UInt8]) -> Match? {
    if text.starts(with: whole) { return .beginning }
    var match = Match.beginnings
    for word in words {
      guard let found = Self.match(word, text) else { return nil }
      if found == .within { match = .within }
    }
    return match
  }

  /// Whether every word begins a word of the text, which is how the daemon searches.
  func findsWords(_ text: [UInt8]) -> Bool { match(text).map { $0 > .within } ?? false }

  /// Whether any of the words occurs anywhere in the text.
  func findsAny(_ text: [UInt8]) -> Bool { words.contains { Self.match($0, text) != nil } }

  /// Whether every match of this search also matches the other one.
  func extends(_ other: Search) -> Bool { whole.starts(with: other.whole) }

  static func text(_ text: String) -> [UInt8] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return Array(folded(text).utf8) }
    var letters = String.UnicodeScalarView()
    for scalar in takenApart(text).unicodeScalars
    where scalar.properties.generalCategory != .nonspacingMark { letters.append(scalar) }
    return Array(folded(String(letters)).utf8)
  }

  private static func match(_ word: [UInt8], _ text: [UInt8]) -> Match? {
    guard let first = word.first else { return .beginnings }
    guard text.count >= word.count else { return nil }
    return text.withUnsafeBufferPointer { text in
      word.withUnsafeBufferPointer { word in
        var found: Match?
        for start in 0...(text.count - word.count) where text[start] == first {
          var length = 1
          while length < word.count, text[start + length] == word[length] { length += 1 }
          if length < word.count { continue }
          if start == 0 || !isLetter(text[start - 1]) || isUnspaced(first) { return .beginnings }
          found = .within
        }
        return found
      }
    }
  }

  /// Whether the byte begins a letter of a script without blanks between words, from kana to
  /// Hangul.
  private static func isUnspaced(_ byte: UInt8) -> Bool { (0xE3...0xED).contains(byte) }

  /// Whether the byte of a folded text belongs to a letter. All bytes beyond ASCII count as
  /// letters.
  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
    default: false
    }
  }
}
