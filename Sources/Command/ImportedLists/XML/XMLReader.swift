import Text

/// Reads XML 1.0 piece by piece, as strictly as the specification has it, and less of it: there are
/// no entities but the five that are built in, a document type is read past and may have no inside,
/// and nothing outside the text is ever looked for. Names are not checked against the tables of
/// letters. Elements inside one another and attributes have bounds.
struct XMLReader {
  enum Event {
    /// `name` and `attributes` tell of it.
    case start
    /// `name` tells of which.
    case end
    /// `text` gives it. One text may come in several pieces.
    case text
    /// The document is over, and was whole.
    case finish
  }

  let bytes: [UInt8]
  var position = 0
  /// The name of the element that begins or ends.
  private(set) var name = ""
  /// The attributes of the element that begins.
  private(set) var attributes: [(name: String, value: String)] = []
  /// Elements that are open.
  private var open: [String] = []
  private var piece: Range<Int> = 0..<0
  private var pieceIsPlain = true
  /// Whether it has no references: an & is one.
  private var pieceIsLiteral = false
  private var isEmptyElement = false
  private(set) var hasRoot = false
  var hasDocumentType = false

  /// - Parameter bytes: in UTF-8, UTF-16 with a mark, or the encoding that the first line names.
  init(_ bytes: [UInt8], _ pages: CodePages) throws(ListFault) {
    self.bytes = try XMLEncoding.utf8(of: bytes, pages)
    if let fault = faultInUTF8(self.bytes) {
      throw ListFault(.line(line(of: fault, in: self.bytes)), "a byte that is no text")
    }
  }

  var depth: Int { open.count }

  func fault(_ reason: String, at place: Int? = nil) -> ListFault {
    ListFault(.line(line(of: place ?? position, in: bytes)), reason)
  }

  mutating func next() throws(ListFault) -> Event {
    if isEmptyElement {
      isEmptyElement = false
      return close()
    }
    while true {
      guard position < bytes.count else {
        guard open.isEmpty, hasRoot else { throw fault("the file ends too early") }
        return .finish
      }
      guard bytes[position] == UInt8(ascii: "<") else {
        if try readText() { return .text }
        continue
      }
      switch position + 1 < bytes.count ? bytes[position + 1] : 0 {
      case UInt8(ascii: "!"): if try readDeclaration() { return .text }
      case UInt8(ascii: "?"): try skipInstruction()
      case UInt8(ascii: "/"): return try readEnd()
      default:
        try readStart()
        return .start
      }
    }
  }

  private mutating func close() -> Event {
    name = open.removeLast()
    return .end
  }

  /// What the last `text` was. Asked for only where it is wanted, since most is not.
  func text() throws(ListFault) -> String {
    if pieceIsPlain { return String(decoding: bytes[piece], as: UTF8.self) }
    if pieceIsLiteral { return String(decoding: withLineFeeds(piece), as: UTF8.self) }
    return String(decoding: try decoded(piece, inAttribute: false), as: UTF8.self)
  }

  // MARK: Elements

  private mutating func readStart() throws(ListFault) {
    guard !(hasRoot && open.isEmpty) else { throw fault("something follows the document") }
    guard open.count < ListLimits.depth else {
      throw fault("more than \(ListLimits.depth) elements inside one another")
    }
    position += 1
    name = try readName()
    attributes.removeAll(keepingCapacity: true)
    while true {
      let hasBlank = skipBlanks()
      guard position < bytes.count else { throw fault("the file ends too early") }
      switch bytes[position] {
      case UInt8(ascii: ">"): position += 1
      case UInt8(ascii: "/"):
        guard skip("/>") else { throw fault("a slash that ends no element") }
        isEmptyElement = true
      default:
        guard hasBlank else { throw fault("a blank is missing before an attribute") }
        try readAttribute()
        continue
      }
      open.append(name)
      hasRoot = true
      return
    }
  }

  private mutating func readAttribute() throws(ListFault) {
    let start = position
    let key = try readName()
    _ = skipBlanks()
    guard skip("=") else { throw fault("an attribute without a value") }
    _ = skipBlanks()
    guard position < bytes.count, bytes[position] == 0x22 || bytes[position] == 0x27 else {
      throw fault("a value without quotes")
    }
    let quote = bytes[position]
    position += 1
    let first = position
    while position < bytes.count, bytes[position] != quote {
      if bytes[position] == UInt8(ascii: "<") { throw fault("a < in a value") }
      position += 1
    }
    guard position < bytes.count else { throw fault("a value that doesn't end", at: first) }
    let value = String(
      decoding: try decoded(first..<position, inAttribute: true), as: UTF8.self)
    position += 1
    if attributes.contains(where: { $0.name == key }) {
      throw fault("an attribute twice in one element", at: start)
    }
    guard attributes.count < ListLimits.attributes else {
      throw fault("more than \(ListLimits.attributes) attributes in one element")
    }
    attributes.append((key, value))
  }

  private mutating func readEnd() throws(ListFault) -> Event {
    let start = position
    position += 2
    let ended = try readName()
    _ = skipBlanks()
    guard skip(">") else { throw fault("an end tag that doesn't end") }
    guard open.last == ended else {
      throw fault(
        open.last.map { "<\($0)> ends as </\(ended.prefix(64))>" } ?? "an end without beginning",
        at: start)
    }
    return close()
  }

  mutating func readName() throws(ListFault) -> String {
    let start = position
    while position < bytes.count, isName(bytes[position], first: position == start) {
      if bytes[position] == 0xEF, isNoCharacter(position) {
        throw fault("a character that is none")
      }
      position += 1
    }
    guard position > start else { throw fault("a < or & that begins nothing") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private func isName(_ byte: UInt8, first: Bool) -> Bool {
    switch byte {
    case 0x41...0x5A, 0x61...0x7A, 0x5F, 0x3A, 0x80...: true
    case 0x30...0x39, 0x2D, 0x2E: !first
    default: false
    }
  }

  // MARK: Text

  /// False outside of the root, where there are only blanks.
  private mutating func readText() throws(ListFault) -> Bool {
    let start = position
    var isPlain = true
    while position < bytes.count, bytes[position] != UInt8(ascii: "<") {
      switch bytes[position] {
      case UInt8(ascii: "&"), 0x0D: isPlain = false
      case ..<0x20 where !isBlankOfXML(bytes[position]): throw fault("a control character")
      case UInt8(ascii: "]") where isNext("]]>"): throw fault("a ]]> that ends nothing")
      case 0xEF where isNoCharacter(position): throw fault("a character that is none")
      default: break
      }
      position += 1
    }
    if open.isEmpty {
      let isBlank = bytes[start..<position].allSatisfy(isBlankOfXML)
      guard isBlank else { throw fault("text outside of the document", at: start) }
      return false
    }
    (piece, pieceIsPlain, pieceIsLiteral) = (start..<position, isPlain, false)
    if !isPlain { try checkReferences(piece) }
    return true
  }

  /// Checks the references, so that a text is as strict where nobody asks for it.
  private func checkReferences(_ range: Range<Int>) throws(ListFault) {
    var place = range.lowerBound
    while place < range.upperBound {
      if bytes[place] == UInt8(ascii: "&") {
        place = try reference(at: place, before: range.upperBound).end
      } else {
        place += 1
      }
    }
  }

  /// Takes over a section of character data: text as it is.
  mutating func take(characters range: Range<Int>) throws(ListFault) {
    guard !open.isEmpty else { throw fault("text outside of the document") }
    try checkCharacters(range)
    (piece, pieceIsPlain, pieceIsLiteral) = (range, !bytes[range].contains(0x0D), true)
  }
}
