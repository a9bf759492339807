/// Reads the subset of TOML 1.0 (https://toml.io/en/v1.0.0) that settings are written in: names,
/// all four kinds of texts, lists of texts over any number of lines, and comments. It recognizes
/// the rest of TOML, so that errors can name what was found. Everything it accepts is TOML, with
/// the same meaning.
struct TOMLReader {
  enum Value: Equatable {
    case text(String)
    case list([Value])
    /// A value that no setting has, described in words.
    case other(String)
  }

  struct Entry: Equatable {
    var name: String
    var value: Value
    var line: Int
  }

  struct Fault: Error, Equatable {
    var line: Int
    var column: Int?
    var reason: String
    var advice: String
  }

  /// The maximum length of a line in bytes. Longer lines are not written by hand: the file is not a
  /// settings file.
  private static let mostBytesInLine = 8192

  let bytes: [UInt8]
  /// The offset of the next byte.
  var place = 0
  private(set) var line = 1
  private var lineStart: Int
  private var entries: [Entry] = []

  /// Returns the settings in the order of the file. Tables are not read: the first one is the last
  /// entry.
  static func entries(of text: String) throws(Fault) -> [Entry] {
    var reader = TOMLReader(text)
    try reader.checkLines()
    try reader.readEntries()
    return reader.entries
  }

  private init(_ text: String) {
    bytes = Array(text.utf8)
    // Skips a byte order mark, which some editors write.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    lineStart = place
  }

  private func checkLines() throws(Fault) {
    var number = 1
    for line in bytes.split(separator: Byte.newline, omittingEmptySubsequences: false) {
      if line.count > Self.mostBytesInLine {
        throw Fault(
          line: number, reason: "the line is longer than \(Self.mostBytesInLine) bytes",
          advice: "break it into several")
      }
      number += 1
    }
  }

  private mutating func readEntries() throws(Fault) {
    while true {
      skipBlanks()
      guard let byte = next else { return }
      if byte == UInt8(ascii: "[") { return try readTable() }
      if try skipLineEnd() { continue }
      try readAssignment()
    }
  }

  // MARK: Names

  private mutating func readAssignment() throws(Fault) {
    let line = line
    let (name, isDotted) = try readName()
    guard next == UInt8(ascii: "=") else {
      throw fault("“=” is missing between a name and \(found)")
    }
    place += 1
    skipBlanks()
    // Dotted names may have the same first part.
    if let other = entries.first(where: { $0.name == name }), !isDotted || other.value != .table {
      throw fault("\(name) is set already, on line \(other.line)", "remove one of the two")
    }
    let value = try readValue()
    entries.append(Entry(name: name, value: isDotted ? .table : value, line: line))
    skipBlanks()
    if next == nil { return }
    guard try skipLineEnd() else { throw fault("\(found) does not belong behind a value") }
  }

  private mutating func readTable() throws(Fault) {
    let line = line
    place += 1
    if next == UInt8(ascii: "[") { place += 1 }
    skipBlanks()
    guard let byte = next, isBare(byte) || isQuote(byte) else {
      throw Fault(
        line: line, reason: "it is not TOML: “[” and no name after it",
        advice: "remove the line; no setting is a table")
    }
    let name = try readName().name
    guard next == UInt8(ascii: "]") else { throw fault("“]” is missing before \(found)") }
    entries.append(Entry(name: name, value: .table, line: line))
  }

  /// Reads a name. For a dotted name, returns its first part, which is the name of a table.
  private mutating func readName() throws(Fault) -> (name: String, isDotted: Bool) {
    var first: String?
    var isDotted = false
    while true {
      let part = try readPartOfName()
      isDotted = first != nil
      if first == nil { first = part }
      skipBlanks()
      guard next == UInt8(ascii: ".") else { return (first ?? part, isDotted) }
      place += 1
      skipBlanks()
    }
  }

  private mutating func readPartOfName() throws(Fault) -> String {
    if let byte = next, isQuote(byte) {
      place += 1
      return try readShortText(quote: byte)
    }
    let start = place
    while let byte = next, isBare(byte) { place += 1 }
    guard place > start else { throw fault("a name can't begin with \(found)") }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  // MARK: Values

  private mutating func readValue() throws(Fault) -> Value {
    next == UInt8(ascii: "[") ? .list(try readList()) : try readSingleValue()
  }

  /// Reads a list. A list inside it becomes one item that says so, and its values are only checked.
  /// Nesting is handled without recursion, however deep.
  private mutating func readList() throws(Fault) -> [Value] {
    var items: [Value] = []
    var depth = 0
    var isValueDue = true
    repeat {
      skipBlanks()
      while try skipLineEnd() { skipBlanks() }
      switch next {
      case UInt8(ascii: "]"):
        place += 1
        depth -= 1
        isValueDue = false
      case UInt8(ascii: ","):
        if isValueDue { throw fault("a value is missing before “,”") }
        place += 1
        isValueDue = true
      case nil: throw fault("“]” is missing at the end of a list")
      default:
        if !isValueDue { throw fault("“,” or “]” is missing before \(found)") }
        if next == UInt8(ascii: "[") {
          place += 1
          depth += 1
          if depth == 2 { items.append(.other("a list")) }
        } else {
          let value = try readSingleValue()
          if depth == 1 { items.append(value) }
          isValueDue = false
        }
      }
    } while depth > 0
    return items
  }

  private mutating func readSingleValue() throws(Fault) -> Value {
    if let byte = next, isQuote(byte) { return .text(try readText()) }
    if next == UInt8(ascii: "{") || next == UInt8(ascii: "}") {
      throw fault(
        "\(found) belongs to a table, and no setting is a table",
        "write a text in double quotes, or a list of texts")
    }
    let start = place
    let word = readWord()
    if word.isEmpty { throw fault("a value is missing before \(found)") }
    guard let kind = TOMLWord.kind(word) else {
      place = start
      throw fault(
        "“\(word)” is neither a text nor a number", "write texts in double quotes")
    }
    return .other(kind)
  }

  private mutating func readWord() -> String {
    let start = place
    while let byte = next, isBare(byte) || "+.:".utf8.contains(byte) { place += 1 }
    // There may be one blank between a date and a time.
    if place - start == 10, next == Byte.space, TOMLWord.isDay(bytes[start..<place]),
      place + 1 < bytes.count, (0x30...0x39).contains(bytes[place + 1])
    {
      place += 1
      while let byte = next, isBare(byte) || "+.:".utf8.contains(byte) { place += 1 }
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private func isQuote(_ byte: UInt8) -> Bool { byte == Byte.quote || byte == Byte.apostrophe }

  // MARK: Bytes

  var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  mutating func skipBlanks() {
    while next == Byte.space || next == Byte.tab { place += 1 }
  }

  /// Skips a comment or a line end. Returns false if there is neither.
  private mutating func skipLineEnd() throws(Fault) -> Bool {
    guard next == UInt8(ascii: "#") else { return skipNewline() }
    while let byte = next, !isNewline {
      try refuseControl(byte)
      place += 1
    }
    return true
  }

  var isNewline: Bool {
    next == Byte.newline
      || (next == Byte.carriageReturn && place + 1 < bytes.count
        && bytes[place + 1] == Byte.newline)
  }

  mutating func skipNewline() -> Bool {
    guard isNewline else { return false }
    place += next == Byte.newline ? 1 : 2
    line += 1
    lineStart = place
    return true
  }

  func refuseControl(_ byte: UInt8) throws(Fault) {
    if (byte < 0x20 && byte != Byte.tab) || byte == 0x7F {
      throw fault("a control character stands there", "take it out")
    }
  }

  // MARK: Faults

  /// The character at the offset, for messages.
  var found: String {
    if place >= bytes.count { return "the end of the file" }
    if isNewline { return "the end of the line" }
    let character = String(decoding: bytes[place...].prefix(4), as: UTF8.self).unicodeScalars
      .prefix(1)
    return "“\(String(character))”"
  }

  func fault(
    _ reason: String, _ advice: String = "config.example.toml shows how settings are written"
  ) -> Fault {
    // Characters are counted, not bytes.
    let column = bytes[lineStart..<place].count { $0 & 0xC0 != 0x80 } + 1
    return Fault(line: line, column: column, reason: "it is not TOML: \(reason)", advice: advice)
  }
}

extension TOMLReader.Value {
  static let table = TOMLReader.Value.other("a table")
}

enum Byte {
  static let tab = UInt8(ascii: "\t")
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let apostrophe = UInt8(ascii: "'")
  static let backslash = UInt8(ascii: "\\")
}
