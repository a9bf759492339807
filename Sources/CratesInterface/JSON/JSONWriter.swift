extension JSON {
  /// Appends the value as compact UTF-8. No byte is 0: Varlink ends a message with one. And nothing
  /// in it ends a line, by any rule: scripts read an object a line.
  package func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .integer(let value): Self.write(value, to: &bytes)
    case .number(let value):
      // JSON knows neither NaN nor infinity; 0 keeps the rest of a listing readable.
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
      for position in text.indices where needsEscape(text[position]) {
        guard let (escape, length) = escape(text[position...]) else { continue }
        bytes.append(contentsOf: text[plain..<position])
        bytes.append(contentsOf: escape.utf8)
        plain = position + length
      }
      bytes.append(contentsOf: text[plain...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0xC2
      || byte == 0xE2
  }

  /// What is written for the first character, and how many bytes it has; nil: it is plain.
  private static func escape(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> (String, Int)? {
    switch text[text.startIndex] {
    case UInt8(ascii: "\n"): return ("\\n", 1)
    case UInt8(ascii: "\t"): return ("\\t", 1)
    case UInt8(ascii: "\r"): return ("\\r", 1)
    case UInt8(ascii: "\""): return ("\\\"", 1)
    case UInt8(ascii: "\\"): return ("\\\\", 1)
    // Next line, line separator, paragraph separator: Python's splitlines() ends lines there.
    case 0xC2: return text.starts(with: "\u{85}".utf8) ? ("\\u0085", 2) : nil
    case 0xE2:
      if text.starts(with: "\u{2028}".utf8) { return ("\\u2028", 3) }
      return text.starts(with: "\u{2029}".utf8) ? ("\\u2029", 3) : nil
    case let byte:
      let digits = String(byte, radix: 16)
      return ("\\u00" + (byte < 16 ? "0" : "") + digits, 1)
    }
  }
}
