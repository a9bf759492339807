import CratesInterface
import TestSupport
import Testing

@testable import Terminal

@Suite("Widths", .limited)
struct WidthTests {
  @Test(
    "Columns of texts",
    arguments: [
      ("", 0), ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("हिन्दी", 5), ("한", 2), ("\u{1112}\u{1161}", 2),
      ("👍", 2), ("👍🏽", 2), ("👨‍👩‍👧", 2), ("❤️", 1), ("🇩🇪", 2), ("ｗ", 2), ("a\u{AD}b", 2),
      ("\u{1B}[m", 3), ("\u{202E}x", 2), ("…", 1), ("●", 1), ("▌", 1), ("\u{200B}x", 1),
      ("1️⃣", 1), ("☕", 2), ("ภาษาไทย", 7), ("𝄞", 1),
    ])
  func columns(text: String, columns: Int) {
    #expect(Widths.of(text) == columns)
  }

  @Test("Not all terminals agree on what combines, on controls and on pictures")
  func certain() {
    for scalar in ["a", "~", "é", "Ω", "日", "한", "─", "…"] as [Unicode.Scalar] {
      #expect(Widths.isCertain(scalar), "\(scalar)")
    }
    for scalar in ["\u{1F}", "\u{7F}", "\u{9F}", "\u{300}", "\u{36F}", "\u{483}", "👍", "\u{200B}"]
      as [Unicode.Scalar]
    {
      #expect(!Widths.isCertain(scalar), "\(scalar.value)")
    }
  }

  @Test("No text steers a terminal")
  func harmless() {
    for value in UInt32(0)..<0x11_0000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      var glyphs = Glyphs(String(Character(scalar)))
      while let glyph = glyphs.next() {
        for shown in glyph.scalars + [glyph.scalar] {
          let category = shown.properties.generalCategory
          let isHarmful =
            category == .control || category == .lineSeparator || category == .paragraphSeparator
            || (0x202A...0x202E).contains(shown.value) || (0x2066...0x2069).contains(shown.value)
          if isHarmful { Issue.record("\(value) is shown as \(shown.value)") }
        }
        #expect(glyph.width > 0)
      }
    }
  }

  @Test("What steers is shown in a grid as it is in a line, and nothing else is")
  func sameAsInLines() {
    for value in UInt32(0)..<0x11_0000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      // Terminals have no one way with what is no character; a line leaves it as it is.
      if value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(value) { continue }
      let text = String(Character(scalar))
      var glyphs = Glyphs(text)
      let shown = glyphs.next()?.scalar
      if scalar.isSteering || text.harmless != text {
        guard shown.map({ String(Character($0)) }) == text.harmless else {
          Issue.record("\(value) is another one in lines")
          continue
        }
      } else if let shown, shown != scalar {
        Issue.record("\(value) is shown as \(shown.value), but in lines as it is")
      }
    }
  }

  @Test("A character with a thousand marks has a few")
  func marks() {
    var glyphs = Glyphs("e" + String(repeating: "\u{301}", count: 1_000) + "f")
    #expect(glyphs.next()?.scalars.count == Glyphs.scalarsMost)
    #expect(glyphs.next()?.scalar == "f")
  }

  @Test(
    "A text that has no room ends in an ellipsis, and no glyph is cut",
    arguments: [
      ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"),
      ("日本語", 4, "日…"), ("日本語", 1, "…"), ("日本語", 0, ""),
    ])
  func shortened(text: String, room: Int, shown: String) {
    var grid = Grid(columns: 10, rows: 1)
    grid.putShortened(text, row: 0, column: 0, end: room)
    #expect(grid.text(row: 0) == shown)
  }
}
