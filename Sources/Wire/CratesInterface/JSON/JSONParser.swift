extension JSON {
  /// Bounds on what a parser builds, so that a small message cannot become a large value.
  package struct Limits: Sendable {
    /// The most nested arrays and objects.
    package var depth: Int
    /// The most values of all kinds in one text.
    package var values: Int

    package init(depth: Int = 32, values: Int = 4_000_000) {
      self.depth = depth
      self.values = values
    }
  }

  /// The reason why a text was refused, and the offset of the byte (from 0).
  package struct ParseError: Error, Hashable, CustomStringConvertible {
    package enum Reason: String, Sendable {
      case unexpectedByte = "a byte that has no place there"
      case unexpectedEnd = "the text ends too early"
      case trailingBytes = "something follows the value"
      case tooDeep = "nested too deeply"
      case tooMany = "too many values"
      case duplicateKey = "a key comes twice in one object"
      case numberRange = "a number out of range"
      case badString = "a string that is not valid UTF-8 or has a wrong escape"
    }
    package var reason: Reason
    package var offset: Int

    package var description: String { "not JSON at byte \(offset): \(reason.rawValue)" }
  }

  /// Parses one value, with only white space around it. Refuses what RFC 8259 refuses, and also
  /// duplicate keys, lone surrogates, and numbers that Int64 or a finite Double cannot hold.
  package init(parsing bytes: [UInt8], limits: Limits = Limits()) throws(ParseError) {
    var parser = JSONParser(bytes: bytes, limits: limits)
    self = try parser.document()
  }

  /// Parses one value from text.
  package init(parsing text: String, limits: Limits = Limits()) throws(ParseError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }
}

struct JSONParser {
  let bytes: [UInt8]
  let limits: JSON.Limits
  var position = 0
  var depth = 0
  var values = 0

  /// A Double needs 17 digits; no meaningful number is longer than this.
  static let numberLengthMost = 512
  /// The number of digits of Int64.min with its sign.
  static let wholeLengthMost = 20

  init(bytes: [UInt8], limits: JSON.Limits) {
    self.bytes = bytes
    self.limits = limits
  }

  var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  func error(_ reason: JSON.ParseError.Reason) -> JSON.ParseError {
    JSON.ParseError(reason: reason, offset: position)
  }

  var surprise: JSON.ParseError { error(byte == nil ? .unexpectedEnd : .unexpectedByte) }

  mutating func document() throws(JSON.ParseError) -> JSON {
    let value = try value()
    skipBlanks()
    guard byte == nil else { throw error(.trailingBytes) }
    return value
  }

  mutating func skipBlanks() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  mutating func skip(_ expected: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: expected) else { return false }
    position += 1
    return true
  }

  mutating func value() throws(JSON.ParseError) -> JSON {
    values += 1
    guard values <= limits.values else { throw error(.tooMany) }
    skipBlanks()
    switch byte {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  mutating func word(_ word: StaticString, _ value: JSON) throws(JSON.ParseError) -> JSON {
    let length = word.utf8CodeUnitCount
    for offset in 0..<length {
      guard byte == word.utf8Start[offset] else { throw surprise }
      position += 1
    }
    return value
  }

  mutating func enter() throws(JSON.ParseError) {
    depth += 1
    guard depth <= limits.depth else { throw error(.tooDeep) }
    position += 1
    skipBlanks()
  }

  mutating func array() throws(JSON.ParseError) -> JSON {
    try enter()
    defer { depth -= 1 }
    var values: [JSON] = []
    if skip("]") { return .array(values) }
    while true {
      values.append(try value())
      skipBlanks()
      if skip("]") { return .array(values) }
      guard skip(",") else { throw surprise }
    }
  }

  mutating func object() throws(JSON.ParseError) -> JSON {
    try enter()
    defer { depth -= 1 }
    var members = JSON.Object()
    if skip("}") { return .object(members) }
    while true {
      guard byte == UInt8(ascii: "\"") else { throw surprise }
      let start = position
      let key = try string()
      guard members.position(of: key) == nil else {
        position = start
        throw error(.duplicateKey)
      }
      skipBlanks()
      guard skip(":") else { throw surprise }
      members[key] = try value()
      skipBlanks()
      if skip("}") { return .object(members) }
      guard skip(",") else { throw surprise }
      skipBlanks()
    }
  }
}
