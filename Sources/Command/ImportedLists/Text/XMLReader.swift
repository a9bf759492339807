import CExpat
import Text

/// Reads an XML 1.0 document through expat, element by element.
///
/// The document has only the five built-in entities: a document type that defines others is
/// refused, and nothing outside the document is loaded. Depth, attributes and the length of a tag
/// have limits (`ListLimits`). The document is parsed in pieces. Parsed but unread events take some
/// tens of megabytes at most.
///
/// Each function that advances throws a `ListFault` with the line if the document is malformed,
/// beyond a limit, or incomplete.
final class XMLReader {
  /// The number of bytes to parse at once.
  private static let piece = 1 << 20

  private let bytes: [UInt8]
  private let parser: XML_Parser
  /// The target of expat's callbacks. A pointer, since the exclusivity checks of a property made
  /// reading iTunes' library a third slower.
  private let parsed: UnsafeMutablePointer<ParsedXML>
  private var parsedCount = 0
  private var isWhole = false

  /// The name of the last element that began, without its namespace prefix, and its attributes with
  /// their prefixes.
  private(set) var name = ""
  private(set) var attributes: [(name: String, value: String)] = []
  /// The number of open elements.
  private(set) var depth = 0

  /// Reads up to the start of the root element.
  ///
  /// - Parameter bytes: The document in UTF-8, in UTF-16 with a byte order mark, or in the encoding
  ///   that it declares.
  init(_ bytes: [UInt8], _ pages: CodePages) throws(ListFault) {
    self.bytes = try Self.utf8(bytes, pages)
    guard let parser = XML_ParserCreate("UTF-8") else { throw ListFault(.file, "out of memory") }
    self.parser = parser
    parsed = .allocate(capacity: 1)
    parsed.initialize(to: ParsedXML(parser))
    XML_SetUserData(parser, parsed)
    _ = try next()
  }

  deinit {
    XML_ParserFree(parser)
    parsed.deinitialize(count: 1)
    parsed.deallocate()
  }

  func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// Advances to the start of the next child of the element at `parent`, and skips the rest of the
  /// one before. Returns false at the end of the parent.
  ///
  /// - Parameter parent: The `depth` after the parent had begun.
  func nextElement(in parent: Int) throws(ListFault) -> Bool {
    while depth >= parent, let event = try next() {
      if case .start = event, depth == parent + 1 { return true }
    }
    return false
  }

  /// Reads to the end of the current element. Returns all text inside it, including that of nested
  /// elements.
  func content() throws(ListFault) -> String {
    let outside = depth - 1
    var content = ""
    while depth > outside, let event = try next() {
      if case .text(let range) = event { content += text(range) }
    }
    return content
  }

  /// Reads to the end of the document, which has to be complete.
  func finish() throws(ListFault) { while try next() != nil {} }

  func fault(_ reason: String) -> ListFault {
    ListFault(.line(line(of: parsed.pointee.offset, in: bytes)), reason)
  }

  func text(_ range: Range<Int>) -> String {
    String(decoding: parsed.pointee.texts[range], as: UTF8.self)
  }

  /// Returns nil at the end of the document.
  func next() throws(ListFault) -> ParsedXML.Event? {
    while true {
      guard let event = parsed.pointee.next() else {
        if let failure = parsed.pointee.failure { throw failure }
        if isWhole { return nil }
        parse()
        continue
      }
      switch event {
      case .start(let name, let attributes):
        (self.name, self.attributes) = (name, attributes)
        depth += 1
      case .end: depth -= 1
      case .text: break
      }
      return event
    }
  }

  /// Parses the next piece. An error in it is thrown by `next` after the events before it.
  private func parse() {
    parsed.pointee.clear()
    let rest = bytes[parsedCount...].prefix(Self.piece)
    parsedCount += rest.count
    let isLast = parsedCount == bytes.count
    let status = rest.withUnsafeBytes {
      let start = $0.baseAddress?.assumingMemoryBound(to: CChar.self)
      return XML_Parse(parser, start, Int32($0.count), isLast ? 1 : 0)
    }
    guard status == XML_STATUS_OK else {
      return parsed.pointee.fail(Self.reason(of: XML_GetErrorCode(parser)))
    }
    isWhole = isLast
    // Expat parses an unfinished tag again with each piece.
    let last = XML_GetCurrentByteIndex(parser)
    if !isLast, last >= 0, parsedCount - last > ListLimits.tag {
      parsed.pointee.fail("a tag or comment of more than 4 MiB")
    }
  }

  private static func reason(of error: XML_Error) -> String {
    switch error {
    case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_UNCLOSED_CDATA_SECTION,
      XML_ERROR_PARTIAL_CHAR:
      "the file ends too early"
    default: XML_ErrorString(error).map { String(cString: $0) } ?? "this is no XML"
    }
  }
}

// MARK: Encodings

extension XMLReader {
  /// The number of bytes in which a declaration is expected.
  private static let declarationMost = 256

  /// Converts the document to UTF-8 from the encoding of its byte order mark or declaration.
  private static func utf8(_ bytes: [UInt8], _ pages: CodePages) throws(ListFault) -> [UInt8] {
    if let text = decodedUTF16(bytes) { return text }
    let bytes = ListText.withoutMark(bytes)
    let name = declaredEncoding(bytes)
    if ["", "utf-8", "utf8", "us-ascii", "ascii"].contains(name.lowercased()) { return bytes }
    guard let text = CodePage(named: name).flatMap({ pages.decoded(bytes, from: $0) }) else {
      throw ListFault(
        .line(1), "the encoding “\(name.prefix(40))” is not read; save the file as UTF-8")
    }
    return text
  }

  /// Returns the declared encoding; empty if there is none.
  private static func declaredEncoding(_ bytes: [UInt8]) -> String {
    let start = String(decoding: bytes.prefix(declarationMost), as: UTF8.self)
    guard start.hasPrefix("<?xml"), let end = start.firstRange(of: "?>"),
      let word = start[..<end.lowerBound].firstRange(of: "encoding")
    else { return "" }
    // ` encoding = "UTF-8"`, with quotes of either kind.
    let value = start[word.upperBound..<end.lowerBound]
      .split(omittingEmptySubsequences: false) { $0 == "\"" || $0 == "'" }
    return value.count > 1 ? String(value[1]) : ""
  }
}
