import LibraryModel
import Text

/// The words of one line, read from the front. Each function throws if what it reads is missing or
/// malformed; the words before it have been consumed then.
struct Words {
  private var rest: ArraySlice<UInt8>

  init(_ line: ArraySlice<UInt8>) { rest = line }

  var isEmpty: Bool { rest.isEmpty }
  /// The text that has not been consumed yet.
  var remaining: ArraySlice<UInt8> { rest }

  mutating func next() -> ArraySlice<UInt8>? {
    if rest.isEmpty { return nil }
    let end = rest.place(of: 0x20) ?? rest.endIndex
    let word = rest[rest.startIndex..<end]
    rest = end == rest.endIndex ? [] : rest[(end + 1)...]
    return word
  }

  /// Consumes one word or several if they come next, and returns whether they did.
  mutating func consume(_ words: String) -> Bool {
    var end = rest.startIndex
    for byte in words.utf8 {
      guard end < rest.endIndex, rest[end] == byte else { return false }
      end += 1
    }
    if end == rest.endIndex {
      rest = []
      return true
    }
    guard rest[end] == 0x20 else { return false }
    rest = rest[(end + 1)...]
    return true
  }

  mutating func require(_ words: String) throws(ParseError) {
    if !consume(words) { throw ParseError("\"\(words)\" is missing") }
  }

  mutating func word(_ what: String) throws(ParseError) -> ArraySlice<UInt8> {
    guard let word = next(), !word.isEmpty else { throw ParseError("\(what) is missing") }
    return word
  }

  mutating func name(_ what: String) throws(ParseError) -> String {
    let word = try word(what)
    do {
      return try word.text()
    } catch {
      throw ParseError("\(what) is not text")
    }
  }

  mutating func album() throws(ParseError) -> AlbumID {
    let word = try word("an album's id")
    guard let id = word.withUnsafeBufferPointer(AlbumID.init) else {
      throw ParseError("\(word.display) is not an album's id")
    }
    return id
  }

  mutating func song() throws(ParseError) -> SongID {
    let word = try word("a song's id")
    guard let id = word.withUnsafeBufferPointer(SongID.init) else {
      throw ParseError("\(word.display) is not a song's id")
    }
    return id
  }

  /// Consumes the next word if it is a crate's id and something follows it. A line that the user
  /// wrote may have only the name.
  mutating func consumeCrateID() -> CrateID? {
    var ahead = self
    guard let id = ahead.next()?.withUnsafeBufferPointer(CrateID.init), !ahead.isEmpty
    else { return nil }
    self = ahead
    return id
  }

  mutating func number(_ what: String) throws(ParseError) -> Int {
    let word = try word(what)
    // Only in the form in which it is written, without leading zeros.
    guard word.count <= StoreLimits.mostDigits, word.count == 1 || word.first != 0x30,
      word.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw ParseError("\(what) is not a number") }
    return word.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  mutating func path() throws(ParseError) -> BytePath { try word("a path").path() }
}

/// The reason why a line is wrong, in words that follow its number.
struct ParseError: Error, Hashable {
  var reason: String

  init(_ reason: String) { self.reason = reason }
}

/// A 128-bit digest as 32 hexadecimal digits; `-` stands for none.
enum DigestText {
  static func append(_ digest: AudioDigest?, to line: inout [UInt8]) {
    guard let digest else { return line.append(UInt8(ascii: "-")) }
    Hexadecimal.append(digest.high, to: &line)
    Hexadecimal.append(digest.low, to: &line)
  }

  static func digest(_ word: ArraySlice<UInt8>) throws(ParseError) -> AudioDigest? {
    if word.elementsEqual("-".utf8) { return nil }
    guard word.count == length else { throw ParseError("a digest has 32 digits") }
    guard let high = Hexadecimal.number(word.prefix(16)),
      let low = Hexadecimal.number(word.suffix(16))
    else { throw ParseError("a digest has hexadecimal digits") }
    return AudioDigest(high: high, low: low)
  }

  static let length = 32
}
