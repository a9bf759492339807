import TestSupport
import Testing
import Text

@Suite("Percent-escapes", .limited)
struct PercentEscapesTests {
  private func text(_ bytes: [UInt8]?) -> String? {
    bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    "two digits behind a percent sign are a byte, and what only looks so is none, or itself",
    arguments: [
      ("", "", true), ("a b", "a b", true), ("%41", "A", true), ("x%4a%4A", "xJJ", true),
      ("%2f%2F", "//", true), ("%39%30", "90", true), ("%C3%A9", "é", true),
      ("%c3%a9f", "éf", true), ("%25%34%31", "%41", true), ("100%", "100%", false),
      ("%4", "%4", false), ("%g1", "%g1", false), ("%1g", "%1g", false), ("%+4", "%+4", false),
      ("%%41", "%A", false), ("%4%41", "%4A", false), ("%/1", "%/1", false),
      ("%:1", "%:1", false), ("%@1", "%@1", false), ("%G1", "%G1", false), ("%`1", "%`1", false),
      ("%41%4", "A%4", false),
    ])
  func decoded(escaped: String, plain: String, isWhole: Bool) {
    #expect(text(percentDecoded(Array(escaped.utf8))) == (isWhole ? plain : nil))
    #expect(text(percentDecodedIfEscaped(Array(escaped.utf8))) == plain)
  }

  @Test(
    "all bytes are escaped but those that a text may have, and come back",
    arguments: [
      (.text, 0x20...0x7E, ""), (.word, 0x21...0x7E, ""), (.printable, 0x20...0x7E, ""),
      (.ascii, 0...0x7F, ""), (.path, 0x2D...0x7E, ":;<=>?@[\\]^`{|}"),
    ] as [(UnescapedBytes, ClosedRange<UInt8>, String)])
  func bytes(unescaped: UnescapedBytes, range: ClosedRange<UInt8>, others: String) throws {
    for byte in UInt8.min...UInt8.max {
      let isPlain = range.contains(byte) && byte != 0x25 && !others.utf8.contains(byte)
      let digits = String(Int(byte) + 256, radix: 16, uppercase: true).dropFirst()
      let expected = isPlain ? String(Unicode.Scalar(byte)) : "%\(digits)"
      #expect(percentEscaped([byte], leaving: unescaped) == expected)
      #expect(percentDecoded(Array("%\(digits.lowercased())".utf8)) == [byte])
    }
    let all = Array(UInt8.min...UInt8.max)
    #expect(percentDecoded(Array(percentEscaped(all, leaving: unescaped).utf8)) == all)
  }

  @Test("characters beyond ASCII stay in texts, and bytes that are none of them don't")
  func characters() {
    let bytes = Array("é後🎷".utf8) + [0xFF, 0x41, 0xED, 0xA0, 0x80, 0xC3]
    for unescaped in [UnescapedBytes.text, .word] {
      #expect(percentEscaped(bytes, leaving: unescaped) == "é後🎷%FFA%ED%A0%80%C3")
    }
    #expect(percentEscaped(Array("é/".utf8), leaving: .path) == "%C3%A9/")
    var line = Array("song ".utf8)
    appendPercentEscaped("a b".utf8.reversed(), leaving: .word, to: &line)
    #expect(text(line) == "song b%20a")
  }
}

@Suite("Hexadecimal numbers", .limited)
struct HexadecimalTests {
  @Test(
    "have as many digits as are asked for, and small letters alone",
    arguments: [
      (0, 16, "0000000000000000"), (.max, 16, "ffffffffffffffff"),
      (0x0123_4567_89AB_CDEF, 16, "0123456789abcdef"), (0xE9283, 8, "000e9283"),
    ] as [(UInt64, Int, String)])
  func written(number: UInt64, digits: Int, expected: String) {
    var text: [UInt8] = []
    Hexadecimal.append(number, digits: digits, to: &text)
    #expect(String(decoding: text, as: UTF8.self) == expected)
    if digits == 16 { #expect(Hexadecimal.text(number) == expected) }
    #expect(Hexadecimal.number(text[...]) == number)
  }

  @Test("are read of digits alone", arguments: ["g", "A", "0x1", "-1", " 1", "1/", ":", "`", "é"])
  func refused(text: String) { #expect(Hexadecimal.number(Array(text.utf8)[...]) == nil) }
}
