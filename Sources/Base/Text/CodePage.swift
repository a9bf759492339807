/// The two code pages in which programs on Windows, and Mixxx, write lists that are not UTF-8.
package enum CodePage {
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

  /// The text as UTF-8.
  package func decoded(_ bytes: [UInt8]) -> [UInt8] {
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
