extension TOMLReader {
  /// Reads a text that begins here, with one quote or three of either kind.
  mutating func readText() throws(Fault) -> String {
    guard let quote = next else { preconditionFailure("a text begins with a quote") }
    let quotes = bytes[place...].prefix(3).prefix { $0 == quote }.count
    place += quotes == 2 ? 1 : quotes
    return quotes == 3 ? try readLongText(quote: quote) : try readShortText(quote: quote)
  }

  /// Reads a text after its quote, up to the closing quote on the same line.
  mutating func readShortText(quote: UInt8) throws(Fault) -> String {
    var text: [UInt8] = []
    while let byte = next, !isNewline {
      place += 1
      if byte == quote { return String(decoding: text, as: UTF8.self) }
      try append(byte, to: &text, quote: quote)
    }
    throw fault("a text has no closing quote before \(found)", "close it, or begin it with three")
  }

  private mutating func readLongText(quote: UInt8) throws(Fault) -> String {
    var text: [UInt8] = []
    // A line end right after the quotes is not part of the text.
    _ = skipNewline()
    while let byte = next {
      let quotes = bytes[place...].prefix(5).prefix { $0 == quote }.count
      if quotes >= 3 {
        // Up to two further quotes belong to the text.
        place += quotes
        text += Array(repeating: quote, count: quotes - 3)
        return String(decoding: text, as: UTF8.self)
      }
      if skipNewline() {
        text.append(Byte.newline)
      } else if byte != Byte.backslash || quote != Byte.quote || !skipLineEnding() {
        place += 1
        try append(byte, to: &text, quote: quote)
      }
    }
    throw fault("a text has no closing quotes before the end of the file", "close it")
  }

  /// Skips a backslash at the end of a line with all white space after it, including line ends.
  private mutating func skipLineEnding() -> Bool {
    let start = place
    place += 1
    skipBlanks()
    guard isNewline else {
      place = start
      return false
    }
    while skipNewline() { skipBlanks() }
    return true
  }

  /// - Parameter byte: the byte before the place.
  private mutating func append(
    _ byte: UInt8, to text: inout [UInt8], quote: UInt8
  ) throws(Fault) {
    if byte == Byte.backslash && quote == Byte.quote {
      text += Array(String(try readEscape()).utf8)
    } else {
      place -= 1
      try refuseControl(byte)
      place += 1
      text.append(byte)
    }
  }

  /// Reads an escape after its backslash.
  private mutating func readEscape() throws(Fault) -> Unicode.Scalar {
    guard let byte = next else {
      throw fault("a text has no closing quote before the end of the file", "close it")
    }
    if let scalar = Self.escapes[byte] {
      place += 1
      return scalar
    }
    let digits = byte == UInt8(ascii: "u") ? 4 : byte == UInt8(ascii: "U") ? 8 : 0
    let number = bytes[place...].dropFirst().prefix(digits)
    guard number.count == digits, number.allSatisfy(Self.isHexDigit),
      let value = UInt32(String(decoding: number, as: UTF8.self), radix: 16),
      let scalar = Unicode.Scalar(value)
    else {
      throw fault(
        digits == 0
          ? "a backslash before \(found) means nothing"
          : "“\\\(Character(Unicode.Scalar(byte)))” and no character's number after it",
        "write two for one, or put the text in single quotes")
    }
    // No path, name or pattern contains NUL.
    if value == 0 {
      throw Fault(line: line, reason: "it holds an escaped NUL", advice: "take it out")
    }
    place += 1 + digits
    return scalar
  }

  private static let escapes: [UInt8: Unicode.Scalar] = [
    UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "t"): "\t", UInt8(ascii: "n"): "\n",
    UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "r"): "\r", Byte.quote: "\"",
    Byte.backslash: "\\",
  ]

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    Unicode.Scalar(byte).properties.isASCIIHexDigit
  }
}
