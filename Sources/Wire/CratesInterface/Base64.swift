/// The base64 of RFC 4648, section 4, with padding.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  package static func encoded(_ bytes: [UInt8]) -> String {
    let count = (bytes.count + 2) / 3 * 4
    return String(unsafeUninitializedCapacity: count) { text in
      var place = 0
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
        for index in 0..<4 {
          let digit = Int(bits >> UInt32(18 - 6 * index) & 63)
          text[place] = index <= group.count ? alphabet[digit] : padding
          place += 1
        }
      }
      return count
    }
  }

  /// Decodes canonical base64 only: returns nil for any text that `encoded` doesn't produce.
  package static func decoded(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3)
    for start in stride(from: 0, to: digits.count, by: 4) {
      let group = digits[start..<(start + 4)]
      let isLast = start + 4 == digits.count
      let padded = isLast ? group.reversed().prefix { $0 == padding }.count : 0
      guard padded <= 2 else { return nil }
      var bits: UInt32 = 0
      for digit in group.dropLast(padded) {
        guard let value = value(of: digit) else { return nil }
        bits = bits << 6 | value
      }
      bits <<= 6 * UInt32(padded)
      // Nonzero unused bits would give the same bytes a second encoding.
      guard bits & (1 << (8 * UInt32(padded)) - 1) == 0 else { return nil }
      for index in 0..<(3 - padded) {
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * index)))
      }
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
