/// What the bytes of a list mean as text. UTF-8 and UTF-16 tell themselves, code pages don't: which
/// one it is shows where the paths lead.
package struct ListText {
  /// How many songs a text lists, and how many of them are there.
  package struct Count {
    package var listed: Int
    package var found: Int

    package init(listed: Int, found: Int) {
      self.listed = listed
      self.found = found
    }
  }

  /// In UTF-8, but where names of files are no text.
  package let bytes: [UInt8]
  /// The code page that it was in; nil where it needed none.
  package let page: CodePage?
  /// Whether that is more than a guess.
  package let isKnown: Bool

  /// Bytes of a list by which its code page is chosen: a thousand songs or so, of which each page
  /// makes others that have to be looked up.
  static let judgedMost = 128 << 10
  private static let piece = 2 << 10

  /// Reads a list in the encoding in which most of its songs are found.
  ///
  /// - Parameters:
  ///   - usual: the page that lists beside it are in.
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
    // Names of files need not be text, and players write them as they are.
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
      // Of what is found either way the text is shown.
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

  /// UTF-8 or UTF-16 as UTF-8; nil where the bytes are neither.
  package static func decoded(_ bytes: [UInt8]) -> [UInt8]? {
    if let text = decodedUTF16(bytes) { return text }
    let bytes = withoutMark(bytes)
    return faultInUTF8(bytes) == nil ? bytes : nil
  }

  package static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  /// The code page that a list says it is in: `#EXTENC:windows-1251`, near its top.
  private static func named(in bytes: [UInt8]) -> CodePage? {
    let word = Array("#EXTENC:".utf8)
    let lines = bytes.prefix(piece).split { $0 == 0x0A || $0 == 0x0D }
    guard let line = lines.first(where: { $0.starts(with: word) }) else { return nil }
    return CodePage(named: String(decoding: line.dropFirst(word.count), as: UTF8.self))
  }

  /// The list, or of a long one its beginning and some of its lines from all over it: of those with
  /// letters in a code page, and of the others, as many as have room.
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

  /// Some lines each. A line end means the same in all of the pages.
  private static func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.dropFirst(piece).firstIndex { $0 == 0x0A || $0 == 0x0D }
      let length = (end ?? rest.endIndex - 1) - rest.startIndex + 1
      // A line that is longer than any path tells nothing.
      if length <= 4 * piece { pieces.append(rest.prefix(length)) }
      rest = rest.dropFirst(length)
    }
    return pieces
  }
}
