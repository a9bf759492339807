/// The two code pages in which programs on Windows, and Mixxx, write lists that are not UTF-8.
enum CodePage {
  case windows1250, windows1252

  /// What the bytes from 0x80 on are, as the WHATWG's encoding standard has them.
  private static let upper1250 = table(
    """
    €\u{81}‚\u{83}„…†‡\u{88}‰Š‹ŚŤŽŹ\u{90}‘’“”•–—\u{98}™š›śťžź\
    \u{A0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{AD}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľż\
    ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙
    """)
  private static let upper1252 =
    table("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ")
    + (0xA0...0xFF).compactMap { Unicode.Scalar(UInt32($0)) }.map { Array(String($0).utf8) }

  private static func table(_ text: String) -> [[UInt8]] {
    text.unicodeScalars.map { Array(String($0).utf8) }
  }

  /// As UTF-8.
  func decoded(_ bytes: [UInt8]) -> [UInt8] {
    let upper = self == .windows1250 ? Self.upper1250 : Self.upper1252
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      if byte < 0x80 {
        text.append(byte)
      } else {
        text += upper[Int(byte) - 0x80]
      }
    }
    return text
  }
}

/// UTF-16 with a byte order mark in front, as UTF-8; nil where there is none. What is no character
/// becomes U+FFFD.
func decodedUTF16(_ bytes: [UInt8]) -> [UInt8]? {
  guard bytes.count >= 2 else { return nil }
  let isBig = bytes[0] == 0xFE && bytes[1] == 0xFF
  guard isBig || (bytes[0] == 0xFF && bytes[1] == 0xFE) else { return nil }
  return utf8(ofUTF16: bytes[2...], isBig: isBig)
}

/// A byte that is left over at the end becomes U+FFFD.
func utf8(ofUTF16 bytes: ArraySlice<UInt8>, isBig: Bool) -> [UInt8] {
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
