/// The bytes that percent-escaping leaves unchanged. `%` is never one of them.
package struct UnescapedBytes: Sendable {
  /// One bit for each byte below 64. `high` has those from 64 to 127.
  private let low: UInt64
  private let high: UInt64
  /// Whether characters beyond ASCII are unchanged. Bytes that are not UTF-8 are always escaped.
  fileprivate let leavesCharacters: Bool

  private init(_ bytes: some Sequence<UInt8>, leavesCharacters: Bool = false) {
    var (low, high): (UInt64, UInt64) = (0, 0)
    for byte in bytes where byte != UInt8(ascii: "%") {
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }
    (self.low, self.high) = (low, high)
    self.leavesCharacters = leavesCharacters
  }

  fileprivate func contains(_ byte: UInt8) -> Bool {
    if byte < 64 { return low >> UInt64(byte) & 1 == 1 }
    return byte < 0x80 && high >> UInt64(byte - 64) & 1 == 1
  }

  /// Text on one line: no control characters, and no bytes that are not UTF-8.
  package static let text = UnescapedBytes(0x20...0x7E, leavesCharacters: true)
  /// A word of a line: text without blanks.
  package static let word = UnescapedBytes(0x21...0x7E, leavesCharacters: true)
  /// Printable ASCII, the blank included.
  package static let printable = UnescapedBytes(0x20...0x7E)
  /// All of ASCII, control characters included.
  package static let ascii = UnescapedBytes(0...0x7F)
  /// The characters of a path in a URL (RFC 3986): letters, digits, `-._~` and the slash.
  package static let path = UnescapedBytes(
    Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8))
}

/// Returns the bytes as text, in which each byte that must be escaped is `%` and two hexadecimal
/// digits.
package func percentEscaped(
  _ bytes: some Collection<UInt8>, leaving unescaped: UnescapedBytes
) -> String {
  var text: [UInt8] = []
  appendPercentEscaped(bytes, leaving: unescaped, to: &text)
  return String(decoding: text, as: UTF8.self)
}

/// Appends the escaped bytes to the text.
package func appendPercentEscaped(
  _ bytes: some Collection<UInt8>, leaving unescaped: UnescapedBytes, to text: inout [UInt8]
) {
  let isDone: Void? = bytes.withContiguousStorageIfAvailable {
    append($0, unescaped, &text)
  }
  if isDone == nil { Array(bytes).withUnsafeBufferPointer { append($0, unescaped, &text) } }
}

private func append(
  _ bytes: UnsafeBufferPointer<UInt8>, _ unescaped: UnescapedBytes, _ text: inout [UInt8]
) {
  var start = 0
  var place = 0
  while place < bytes.count {
    let byte = bytes[place]
    if unescaped.contains(byte) {
      place += 1
      continue
    }
    let isCharacter = unescaped.leavesCharacters && byte >= 0x80
    let length = isCharacter ? sequenceLength(bytes, place) : 0
    place += max(length, 1)
    if length > 0 { continue }
    text += UnsafeBufferPointer(rebasing: bytes[start..<(place - 1)])
    text.append(UInt8(ascii: "%"))
    for digit in [byte >> 4, byte & 15] {
      text.append(digit < 10 ? 0x30 + digit : 0x41 + digit - 10)
    }
    start = place
  }
  text += UnsafeBufferPointer(rebasing: bytes[start...])
}

/// Decodes percent-escaped text. Returns nil if a `%` is not followed by two hexadecimal digits.
package func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
  decoded(text, isStrict: true)
}

package func percentDecoded(_ text: [UInt8]) -> [UInt8]? { percentDecoded(text[...]) }

/// Decodes percent-escaped text. A `%` that two digits don't follow stands for itself.
package func percentDecodedIfEscaped(_ text: [UInt8]) -> [UInt8] {
  decoded(text[...], isStrict: false) ?? text
}

private func decoded(_ text: ArraySlice<UInt8>, isStrict: Bool) -> [UInt8]? {
  let percent = UInt8(ascii: "%")
  guard text.contains(percent) else { return Array(text) }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.count)
  var rest = text
  while let byte = rest.popFirst() {
    if byte != percent {
      bytes.append(byte)
    } else if rest.count >= 2, let high = hexadecimalDigit(rest[rest.startIndex]),
      let low = hexadecimalDigit(rest[rest.startIndex + 1])
    {
      bytes.append(high << 4 | low)
      rest = rest.dropFirst(2)
    } else if isStrict {
      return nil
    } else {
      bytes.append(byte)
    }
  }
  return bytes
}

/// Returns the value of a hexadecimal digit of either case; nil for any other byte.
private func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: byte - 0x30
  case 0x41...0x46: byte - 0x41 + 10
  case 0x61...0x66: byte - 0x61 + 10
  default: nil
  }
}
