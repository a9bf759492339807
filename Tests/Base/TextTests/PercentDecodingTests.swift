import TestSupport
import Testing
import Text

@Suite("What is percent-encoded", .limited)
struct PercentDecodingTests {
  @Test(
    "two digits behind a percent sign are a byte",
    arguments: [
      ("a", "a"), ("%41", "A"), ("x%4a%4A", "xJJ"), ("%2f%2F", "//"), ("100%", "100%"),
      ("%4", "%4"), ("%g1", "%g1"), ("%1g", "%1g"), ("%%41", "%A"), ("%39%30", "90"),
      ("%C3%A9", "é"), ("%c3%a9f", "éf"), ("%/1", "%/1"), ("%:1", "%:1"), ("%@1", "%@1"),
      ("%G1", "%G1"), ("%`1", "%`1"), ("%41%4", "A%4"),
    ])
  func decoded(text: String, plain: String) {
    #expect(percentDecoded(Array(text.utf8)) == Array(plain.utf8))
  }

  @Test("bytes of any value are decoded")
  func anyByte() {
    for byte in UInt8.min...UInt8.max {
      let digits = String(Int(byte) + 256, radix: 16).dropFirst()
      #expect(percentDecoded(Array("%\(digits)".utf8)) == [byte])
      #expect(percentDecoded(Array("%\(digits.uppercased())".utf8)) == [byte])
    }
  }
}
