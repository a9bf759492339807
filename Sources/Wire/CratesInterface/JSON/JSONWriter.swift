extension JSON {
  /// Appends the value as compact UTF-8. The output has no NUL, which ends a Varlink message.
  /// Control characters and line separators are escaped: the output cannot act on a terminal, and
  /// scripts can read one object a line.
  package func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .integer(let value): Self.write(value, to: &bytes)
    case .number(let value):
      // JSON has no NaN and no infinity; 0 keeps the rest of a listing readable.
      bytes.append(contentsOf: (value.isFinite ? value : 0).description.utf8)
    case .string(let value): Self.write(value, to: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (position, value) in values.enumerated() {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      bytes.append(UInt8(ascii: "{"))
      for (position, member) in object.members.enumerated() {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// The value as compact UTF-8.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  /// The value as compact text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  private static func write(_ value: Int64, to bytes: inout [UInt8]) {
    var rest = value.magnitude
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  private static func write(_ value: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var value = value
    value.withUTF8 { text in
      var plain = 0
      var position = 0
      while position < text.count {
        guard mayNeedEscape(text[position]) else {
          position += 1
          continue
        }
        let (scalar, length) = firstScalar(of: text[position...])
        if needsEscape(scalar) {
          bytes.append(contentsOf: text[plain..<position])
          writeEscape(of: scalar, to: &bytes)
          plain = position + length
        }
        position += length
      }
      bytes.append(contentsOf: text[plain...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Returns whether the byte can begin a character that is escaped. Other characters may begin
  /// with it, too.
  private static func mayNeedEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F: true
    case 0xC2, 0xD8, 0xE2, 0xEF, 0xF3: true
    default: false
    }
  }

  private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\"" || scalar == "\\" || scalar.isSteering
  }

  /// Returns the first character and its length. The text must be valid UTF-8.
  private static func firstScalar(
    of text: Slice<UnsafeBufferPointer<UInt8>>
  ) -> (Unicode.Scalar, Int) {
    let first = text[text.startIndex]
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var value = UInt32(length == 1 ? first : first & (0x7F >> UInt8(length)))
    for byte in text.dropFirst().prefix(length - 1) { value = value << 6 | UInt32(byte & 0x3F) }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
  }

  private static func writeEscape(of scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    switch scalar {
    case "\n": bytes.append(contentsOf: "\\n".utf8)
    case "\t": bytes.append(contentsOf: "\\t".utf8)
    case "\r": bytes.append(contentsOf: "\\r".utf8)
    case "\"", "\\": bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(scalar.value)])
    default:
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        bytes.append(contentsOf: "\\u".utf8)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
        bytes.append(contentsOf: digits.utf8)
      }
    }
  }
}
