// MARK: Numbers

extension JSONParser {
  mutating func number() throws(JSON.ParseError) -> JSON {
    let start = position
    var isWhole = true
    _ = skip("-")
    // JSON allows no leading zeros.
    if !skip("0") { try digits() }
    if skip(".") {
      isWhole = false
      try digits()
    }
    if skip("e") || skip("E") {
      isWhole = false
      if !skip("+") { _ = skip("-") }
      try digits()
    }
    let text = bytes[start..<position]
    if isWhole, text.count <= Self.wholeLengthMost,
      let value = Int64(String(decoding: text, as: UTF8.self))
    {
      return .integer(value)
    }
    guard !isWhole, text.count <= Self.numberLengthMost,
      let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite
    else {
      position = start
      throw error(.numberRange)
    }
    return .number(value)
  }

  mutating func digits() throws(JSON.ParseError) {
    let start = position
    while let byte, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
    guard position > start else { throw surprise }
  }
}

// MARK: Strings

extension JSONParser {
  /// Reads from the opening quotation mark to behind the closing one.
  mutating func string() throws(JSON.ParseError) -> String {
    position += 1
    let start = position
    while let byte, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      position += 1
    }
    if byte == UInt8(ascii: "\"") {
      defer { position += 1 }
      return try text(bytes[start..<position])
    }
    return try stringWithEscapes(from: start)
  }

  mutating func stringWithEscapes(from start: Int) throws(JSON.ParseError) -> String {
    var unescaped = Array(bytes[start..<position])
    while let byte {
      guard byte >= 0x20 else { throw error(.unexpectedByte) }
      if byte == UInt8(ascii: "\"") {
        defer { position += 1 }
        return try text(unescaped[...])
      }
      position += 1
      if byte != UInt8(ascii: "\\") {
        unescaped.append(byte)
      } else {
        try escape(into: &unescaped)
      }
    }
    throw error(.unexpectedEnd)
  }

  func text(_ bytes: ArraySlice<UInt8>) throws(JSON.ParseError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw error(.badString) }
    return bytes.count <= Self.marksMost ? text : withFewMarks(text)
  }

  /// The most combining marks in a row: more than fit into a file name of 255 bytes.
  static let marksMost = 127

  /// Removes the combining marks beyond `marksMost`. Comparing or hashing a string takes time
  /// quadratic in the length of such a run: half a second for each comparison with 24,000 marks.
  private func withFewMarks(_ text: String) -> String {
    var run = 0
    func isOneTooMany(_ scalar: Unicode.Scalar) -> Bool {
      // U+0300 is the first combining mark.
      let isMark =
        scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
      run = isMark ? run + 1 : 0
      return run > Self.marksMost
    }
    guard text.unicodeScalars.contains(where: isOneTooMany) else { return text }
    run = 0
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { !isOneTooMany($0) }))
  }

  mutating func escape(into unescaped: inout [UInt8]) throws(JSON.ParseError) {
    guard let byte else { throw error(.unexpectedEnd) }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(byte)
    case UInt8(ascii: "b"): unescaped.append(0x08)
    case UInt8(ascii: "f"): unescaped.append(0x0C)
    case UInt8(ascii: "n"): unescaped.append(0x0A)
    case UInt8(ascii: "r"): unescaped.append(0x0D)
    case UInt8(ascii: "t"): unescaped.append(0x09)
    case UInt8(ascii: "u"):
      position += 1
      let scalar = try escapedScalar()
      unescaped.append(contentsOf: String(Character(scalar)).utf8)
      return
    default: throw error(.badString)
    }
    position += 1
  }

  /// Reads what follows `\u`: four digits, or a surrogate pair.
  mutating func escapedScalar() throws(JSON.ParseError) -> Unicode.Scalar {
    let high = try fourDigits()
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard high < 0xDC00, skip("\\"), skip("u") else { throw error(.badString) }
    let low = try fourDigits()
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { throw error(.badString) }
    return scalar
  }

  mutating func fourDigits() throws(JSON.ParseError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte else { throw error(.unexpectedEnd) }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: throw error(.badString)
      }
      value = value << 4 + UInt32(digit)
      position += 1
    }
    return value
  }
}
