import TestSupport
import Testing
import Text

@Suite("What bytes mean as text", .limited)
struct TextEncodingsTests {
  /// Bytes at the edges of table 3-7, and some between.
  private static let edges: [UInt8] = [
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
    0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
  ]

  /// Where Swift's own reading ends: behind the longest beginning that is text.
  private func fault(_ bytes: [UInt8]) -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    return (0..<bytes.count).last { String(validating: bytes[..<$0], as: UTF8.self) != nil }
  }

  @Test("UTF-8 is what the standard library says it is, up to where it isn't")
  func utf8() {
    #expect(faultInUTF8([]) == nil)
    for first in 0...UInt8.max {
      #expect(faultInUTF8([first]) == fault([first]))
      for second in 0...UInt8.max {
        #expect(faultInUTF8([first, second]) == fault([first, second]))
      }
    }
    for first in Self.edges {
      for second in Self.edges {
        for third in Self.edges {
          let bytes = [first, second, third]
          #expect(faultInUTF8(bytes) == fault(bytes), "\(bytes)")
          for last in [0x41, 0x7F, 0x80, 0xBF, 0xC0] as [UInt8] {
            #expect(faultInUTF8(bytes + [last]) == fault(bytes + [last]), "\(bytes) \(last)")
          }
        }
      }
    }
    #expect(faultInUTF8(Array("é🎵a".utf8) + [0xC3]) == 7)
  }

  @Test("UTF-16 is read in both orders, and what is no character is replaced")
  func utf16() {
    var dice = SeededGenerator(seed: 16)
    let units: [UInt16] = [0x41, 0xE9, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFD]
    for count in 0..<200 {
      let some = (0..<(count % 12)).map { _ in units.randomElement(using: &dice) ?? 0 }
      let text = Array(String(decoding: some, as: UTF16.self).utf8)
      let little = some.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
      let big = some.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
      #expect(decodedUTF16([0xFF, 0xFE] + little) == text)
      #expect(decodedUTF16([0xFE, 0xFF] + big) == text)
      #expect(Text.utf8(ofUTF16: little[...], isBig: false) == text)
      // Half a unit at the end.
      let replaced = text + Array("\u{FFFD}".utf8)
      #expect(decodedUTF16([0xFF, 0xFE] + little + [0x41]) == replaced)
      #expect(Text.utf8(ofUTF16: (big + [0])[...], isBig: true) == replaced)
      // A part of something longer.
      #expect(Text.utf8(ofUTF16: ([0, 0, 0] + big)[3...], isBig: true) == text)
    }
    for bytes: [UInt8] in [
      [], [0xFF], [0xFE], [0xFE, 0xFE], [0xFF, 0xFF], [0x41, 0], [0, 0xFE],
    ] {
      #expect(decodedUTF16(bytes) == nil, "\(bytes)")
    }
  }

  @Test("The code pages are those of Python", arguments: ["cp1250", "cp1252"])
  func tables(page: String) throws {
    let script =
      "print(''.join(bytes([b]).decode('\(page)', 'ignore') or chr(b) for b in range(128, 256)),"
      + " end='')"
    let python = try run("python3", ["-X", "utf8", "-c", script])
    #expect(python.status == 0, "\(python.errors)")
    let known: CodePage = page == "cp1250" ? .windows1250 : .windows1252
    let ours = String(decoding: known.decoded(Array(0x80...0xFF)), as: UTF8.self)
    #expect(ours.unicodeScalars.count == 128)
    #expect(Array(ours.unicodeScalars) == Array(python.output.unicodeScalars))
    #expect(known.decoded(Array(0..<0x80)) == Array(0..<0x80))
  }

  @Test("What tells itself has one reading, what doesn't has three")
  func readings() {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    #expect(ListText.readings(of: []) == [[]])
    #expect(ListText.readings(of: Array("é".utf8)) == [Array("é".utf8)])
    #expect(ListText.readings(of: mark + Array("é".utf8)) == [Array("é".utf8)])
    #expect(ListText.readings(of: [0xFF, 0xFE, 0xE9, 0]) == [Array("é".utf8)])
    #expect(
      ListText.readings(of: [0xE3, 0x41]) == [
        [0xE3, 0x41], Array("ăA".utf8), Array("ãA".utf8),
      ])
    #expect(ListText.readings(of: mark + [0xE3]).first == [0xE3])
    #expect(ListText.withoutMark(mark) == [])
    #expect(ListText.withoutMark([0xEF, 0xBB]) == [0xEF, 0xBB])
  }
}
