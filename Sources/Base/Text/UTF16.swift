/// Returns UTF-16 with a byte order mark as UTF-8; nil if there is no mark. Invalid characters
/// become U+FFFD.
package func decodedUTF16(_ bytes: [UInt8]) -> [UInt8]? {
  guard bytes.count >= 2 else { return nil }
  let isBig = bytes[0] == 0xFE && bytes[1] == 0xFF
  guard isBig || (bytes[0] == 0xFF && bytes[1] == 0xFE) else { return nil }
  return utf8(ofUTF16: bytes[2...], isBig: isBig)
}

/// Returns UTF-16 as UTF-8. A single byte at the end becomes U+FFFD.
package func utf8(ofUTF16 bytes: ArraySlice<UInt8>, isBig: Bool) -> [UInt8] {
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count)
  var units = Units(bytes: bytes, isBig: isBig, place: bytes.startIndex)
  var decoder = UTF16()
  decoding: while true {
    switch decoder.decode(&units) {
    case .scalarValue(let scalar): text += UTF8.encode(scalar).map { Array($0) } ?? []
    case .emptyInput: break decoding
    case .error: text += replacement
    }
  }
  if units.place < bytes.endIndex { text += replacement }
  return text
}

private let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

private struct Units: IteratorProtocol {
  let bytes: ArraySlice<UInt8>
  let isBig: Bool
  var place: Int

  mutating func next() -> UInt16? {
    guard bytes.endIndex - place >= 2 else { return nil }
    let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
    place += 2
    return isBig ? first << 8 | second : second << 8 | first
  }
}
