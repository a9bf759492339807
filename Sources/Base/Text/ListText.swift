/// The bytes of a list as text. UTF-8 and UTF-16 can be recognized. Code pages can't: the one whose
/// text leads to existing songs is used.
package struct ListText {
  /// The number of songs that a text lists, and how many of them exist.
  package struct Count {
    package var listed: Int
    package var found: Int

    package init(listed: Int, found: Int) {
      self.listed = listed
      self.found = found
    }
  }

  /// The text in UTF-8, except for names of files that are no text.
  package let bytes: [UInt8]
  /// The code page that it was in; nil if it needed none.
  package let page: CodePage?
  /// Whether the encoding is more than a guess.
  package let isKnown: Bool

  /// The number of bytes by which a list's code page is chosen. That is about a thousand songs, all
  /// of which must be looked up again for each page.
  static let judgedMost = 128 << 10
  private static let piece = 2 << 10

  /// Decodes a list by the encoding in which most of its songs are found.
  ///
  /// - Parameters:
  ///   - usual: the page of other lists beside it.
  ///   - count: counts the songs of a text, which may be a part of the list.
  package init<Failure: Error>(
    _ bytes: [UInt8], _ pages: CodePages, usual: CodePage? = nil,
    count: ([UInt8]) throws(Failure) -> Count
  ) throws(Failure) {
    if let text = Self.decoded(bytes) {
      self.init(bytes: text, page: nil, isKnown: true)
      return
    }
    let bytes = Self.withoutMark(bytes)
    let judged = Self.judged(bytes)
    // File names need not be text, and players write their bytes unchanged.
    var best = try count(judged)
    var (page, least) = (CodePage?.none, best.found)
    var seen: Set<[UInt8]> = [judged]
    for next in [Self.named(in: bytes), usual].compactMap(\.self) + CodePage.allCases {
      if best.found == best.listed { break }
      guard let text = pages.decoded(judged, from: next), seen.insert(text).inserted else {
        continue
      }
      let counted = try count(text)
      least = min(least, counted.found)
      // If the raw bytes and a page find equally many songs, the decoded text is shown.
      if counted.found > best.found || page == nil && counted.found == best.found {
        (best, page) = (counted, next)
      }
    }
    let text = page.flatMap { pages.decoded(bytes, from: $0) } ?? bytes
    let isKnown = best.found == best.listed || best.found > least
    self.init(bytes: text, page: page, isKnown: isKnown)
  }

  private init(bytes: [UInt8], page: CodePage?, isKnown: Bool) {
    self.bytes = bytes
    self.page = page
    self.isKnown = isKnown
  }

  /// Returns UTF-8 or UTF-16 as UTF-8; nil if the bytes are neither.
  package static func decoded(_ bytes: [UInt8]) -> [UInt8]? {
    if let text = decodedUTF16(bytes) { return text }
    let bytes = withoutMark(bytes)
    return faultInUTF8(bytes) == nil ? bytes : nil
  }

  package static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  /// Returns the code page that a list declares near its top: `#EXTENC:windows-1251`.
  private static func named(in bytes: [UInt8]) -> CodePage? {
    let word = Array("#EXTENC:".utf8)
    let lines = bytes.prefix(piece).split { $0 == 0x0A || $0 == 0x0D }
    guard let line = lines.first(where: { $0.starts(with: word) }) else { return nil }
    return CodePage(named: String(decoding: line.dropFirst(word.count), as: UTF8.self))
  }

  /// Returns the list or, if it is long, its beginning and lines from all over it: as many as fit
  /// of those with bytes beyond ASCII, and of the others.
  private static func judged(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.count <= judgedMost { return bytes }
    let pieces = pieces(of: bytes)
    let isPlain = pieces.map { $0.allSatisfy { $0 < 0x80 } }
    var chosen = Set(pieces.indices.prefix(1))
    for kind in [false, true] {
      let places = pieces.indices.filter { isPlain[$0] == kind }
      let most = judgedMost / piece / 2
      chosen.formUnion(
        (0..<most).compactMap { number in
          places.isEmpty ? nil : places[number * places.count / most]
        })
    }
    return chosen.sorted().flatMap { pieces[$0] }
  }

  /// Splits the list into groups of lines. A line end is the same in all pages.
  private static func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.dropFirst(piece).firstIndex { $0 == 0x0A || $0 == 0x0D }
      let length = (end ?? rest.endIndex - 1) - rest.startIndex + 1
      // A line that is longer than any path is of no use.
      if length <= 4 * piece { pieces.append(rest.prefix(length)) }
      rest = rest.dropFirst(length)
    }
    return pieces
  }
}
