import TestSupport
import Testing

@testable import Terminal

@Suite("Glyphs of texts", .limited) struct GlyphTests {
  private func glyphs(_ text: String, isASCII: Bool = false) -> [String] {
    var glyphs = Glyphs(text, isASCII: isASCII)
    var found: [String] = []
    while let glyph = glyphs.next() {
      var scalars = String.UnicodeScalarView()
      scalars.append(contentsOf: glyph.scalars.isEmpty ? [glyph.scalar] : glyph.scalars)
      found.append(String(scalars) + (glyph.width == 1 ? "" : "/\(glyph.width)"))
    }
    return found
  }

  private func text(_ values: UInt32...) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: values.compactMap(Unicode.Scalar.init))
    return String(scalars)
  }

  @Test("Marks belong to the character before them, and alone they are nothing")
  func marks() {
    #expect(glyphs("ae\u{301}\u{308}b") == ["a", "e\u{301}\u{308}", "b"])
    #expect(glyphs("\u{301}a\u{301}") == ["a\u{301}"])
    #expect(glyphs("a\u{300}") == ["a\u{300}"])
    #expect(glyphs("日\u{301}x") == ["日\u{301}/2", "x"])
    #expect(glyphs("é\u{323}") == ["é\u{323}"])
    for (count, kept) in [(7, 7), (8, 7), (20, 7)] {
      let marks = String(repeating: "\u{301}", count: count)
      #expect(glyphs("e\(marks)f").map(\.unicodeScalars.count) == [kept + 1, 1])
    }
  }

  @Test("Of a picture that is made of several the first is shown")
  func pictures() {
    #expect(glyphs("👨‍👩‍👧x") == ["👨/2", "x"] && glyphs("👍🏽x") == ["👍/2", "x"])
    for skin in [0x1F3FB, 0x1F3FF] as [UInt32] {
      #expect(glyphs(text(0x1F44D, skin)) == ["👍/2"])
    }
    #expect(glyphs(text(0x1F44D, 0x1F3FA)).count == 2 && glyphs(text(0x1F44D, 0x1F400)).count == 2)
    // So it is where the picture is a letter by default, but as wide as one.
    #expect(glyphs("㊗\u{200D}日") == ["㊗/2"])
    // What no picture is joined to stays.
    #expect(glyphs("👍\u{200D}x") == ["👍/2", "x"] && glyphs("👍\u{200D}") == ["👍/2"])
    #expect(glyphs("👍\u{200D}\u{80}x").last == "x")
    // What takes one column is a letter among others.
    #expect(glyphs("❤\u{200D}日").last == "日/2")
    // Letters are joined, and kept apart.
    #expect(
      glyphs("क\u{200D}ष") == ["क\u{200D}", "ष"] && glyphs("a\u{200C}b") == ["a\u{200C}", "b"])
  }

  @Test("What only says how others are shown is left out")
  func selectors() {
    for selector in [0xFE00, 0xFE0F, 0xE0100, 0xE01EF] as [UInt32] {
      #expect(glyphs(text(0x41, selector)) == ["A"], "\(selector)")
      #expect(glyphs(text(0x2764, selector)) == ["❤"], "\(selector)")
    }
    #expect(glyphs("a\u{200B}b") == ["a", "b"])
  }

  @Test("What would steer the terminal is another character")
  func steering() {
    for (value, shown) in [
      (0, 0x2400), (0x1F, 0x241F), (0x7F, 0x2421), (0x80, 0xFFFD), (0x9F, 0xFFFD), (0xA0, 0xA0),
      (0x61C, 0xFFFD), (0x200E, 0xFFFD), (0x200F, 0xFFFD), (0x2028, 0xFFFD), (0x202E, 0xFFFD),
      (0x202F, 0x202F), (0x2066, 0xFFFD), (0x206F, 0xFFFD), (0xFEFF, 0xFFFD), (0xFFF9, 0xFFFD),
      (0xFFFB, 0xFFFD), (0xFFFC, 0xFFFC), (0xFDD0, 0xFFFD), (0xFDEF, 0xFFFD), (0xFDF0, 0xFDF0),
      (0xE0000, 0xFFFD), (0xE00FF, 0xFFFD), (0xFFFE, 0xFFFD), (0xFFFF, 0xFFFD), (0x1FFFE, 0xFFFD),
      (0x10FFFF, 0xFFFD), (0xFFFD, 0xFFFD), (0x1FFFD, 0x1FFFD),
    ] as [(UInt32, UInt32)] {
      #expect(glyphs(text(value)).first?.unicodeScalars.first?.value == shown, "\(value)")
    }
    // It takes no marks, and is none.
    #expect(glyphs("a\u{202E}b") == ["a", "\u{FFFD}", "b"])
  }

  @Test("Where nothing but ASCII is shown, what has marks goes without them")
  func ascii() {
    #expect(glyphs("e\u{301}\u{308}f", isASCII: true) == ["e", "f"])
    #expect(glyphs("日\u{301}é\u{1B}", isASCII: true) == ["?", "?", "?"])
    #expect(glyphs("a\u{202E}b", isASCII: true) == ["a", "?", "b"])
    #expect(glyphs("a日", isASCII: true) == ["a", "?"])
  }

  @Test("Blocks of wide characters have their last one, and not the one behind it")
  func wideBlocks() {
    for (last, next) in [
      (0x115F, 0), (0x232A, 1), (0x303E, 1), (0x4DBF, 2), (0x4DFF, 2), (0x9FFF, 2), (0xA4CF, 1),
      (0xA97F, 0), (0xD7A3, 1), (0xFAFF, 1), (0xFE19, 1), (0xFE6F, 1), (0xFF60, 1), (0xFFE6, 1),
      (0x18DFF, 1), (0x1B2FF, 1), (0x1F265, 1), (0x2FFFD, 1), (0x3FFFD, 1),
    ] as [(UInt32, Int)] {
      let scalars = [last, last + 1].compactMap(Unicode.Scalar.init)
      #expect(scalars.map { Widths.of($0) } == [2, next], "\(String(last, radix: 16))")
    }
    for (first, before) in [
      (0x1100, 1), (0x2329, 1), (0x2E80, 1), (0x3041, 1), (0xA960, 1), (0xAC00, 1), (0xF900, 1),
      (0xFE10, 0), (0xFE30, 0), (0xFF01, 1), (0xFFE0, 1), (0x16FE0, 1), (0x1F200, 1),
      (0x20000, 1),
    ] as [(UInt32, Int)] {
      let scalars = [first - 1, first].compactMap(Unicode.Scalar.init)
      if first != 0xFF01 {
        #expect(scalars.map { Widths.of($0) } == [before, 2], "\(String(first, radix: 16))")
      }
    }
  }

  @Test("Narrow blocks, finals of syllables and halves of flags have their ends")
  func narrowBlocks() {
    for (value, width) in [
      (0xAD, 0), (0xAC, 1), (0x2FF, 1), (0x300, 0), (0x36F, 0), (0x370, 1), (0x482, 1), (0x483, 0),
      (0x489, 0), (0x48A, 1), (0x58F, 1), (0x591, 0), (0x25FC, 1), (0x25FD, 2), (0x1160, 0),
      (0x11FF, 0), (0x1200, 1), (0xD7B0, 0), (0xD7FB, 0), (0xD7FC, 1), (0x1F1E6, 1), (0x1F1FF, 1),
      (0x1F600, 2), (0x200D, 0), (0x20DD, 0),
    ] as [(UInt32, Int)] {
      #expect(Unicode.Scalar(value).map { Widths.of($0) } == width, "\(String(value, radix: 16))")
    }
  }

  @Test("Terminals agree on whole blocks")
  func certain() {
    for (range, isCertain) in [
      (0x20...0x7E, true), (0x7F...0x9F, false), (0xA0...0x2FF, true), (0x300...0x36F, false),
      (0x370...0x482, true), (0x483...0x489, false), (0x48A...0x58F, true), (0x590...0x590, false),
      (0x1DFF...0x1DFF, false), (0x1E00...0x1FFF, true), (0x2000...0x200F, false),
      (0x2010...0x2027, true), (0x2028...0x2028, false), (0x24FF...0x24FF, false),
      (0x2500...0x259F, true), (0x25A0...0x25A0, false), (0x3040...0x3040, false),
      (0x3041...0x30FF, true), (0x3100...0x3100, false), (0x4DFF...0x4DFF, false),
      (0x4E00...0x9FFF, true), (0xA000...0xA000, false), (0xABFF...0xABFF, false),
      (0xAC00...0xD7A3, true), (0xD7A4...0xD7A4, false),
    ] as [(ClosedRange<UInt32>, Bool)] {
      for value in [range.lowerBound, range.upperBound] {
        let found = Unicode.Scalar(value).map { Widths.isCertain($0) }
        #expect(found == isCertain, "\(String(value, radix: 16))")
      }
    }
  }
}
