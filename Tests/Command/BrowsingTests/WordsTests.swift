import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite("Words of the browser", .limited) struct WordsTests {
  @Test("Numbers have commas, and what is counted its plural")
  func numbers() {
    for (number, text) in [
      (0, "0"), (999, "999"), (1_000, "1,000"), (1_001, "1,001"), (12_045, "12,045"),
      (999_999, "999,999"), (1_000_000, "1,000,000"), (1_020_300, "1,020,300"),
    ] {
      #expect(Words.number(number) == text)
    }
    #expect(Words.count(0, "song") == "0 songs" && Words.count(1, "song") == "1 song")
    #expect(Words.count(2_000, "song") == "2,000 songs")
  }

  @Test("A song's length has minutes, and hours where there are any")
  func durations() {
    for (seconds, text) in [
      (0, ""), (-1, ""), (0.4, "0:00"), (9.5, "0:10"), (59.5, "1:00"), (187, "3:07"),
      (3_599.4, "59:59"), (3_599.5, "1:00:00"), (3_661, "1:01:01"), (36_610, "10:10:10"), (1e9, ""),
      (999_999_999, "277777:46:39"), (.nan, ""), (.infinity, ""),
    ] as [(Double, String)] {
      #expect(Words.duration(seconds) == text, "\(seconds)")
    }
  }

  @Test("What many albums take is told in minutes below two hours, with them below ten")
  func lengths() {
    for (seconds, text) in [
      (0, ""), (-1, ""), (29, "0 min"), (31, "1 min"), (2_700, "45 min"), (119.4 * 60, "119 min"),
      (119.6 * 60, "2 h"), (149 * 60, "2 h 29 min"), (599 * 60, "9 h 59 min"), (629 * 60, "10 h"),
      (630 * 60, "11 h"), (3_600_000, "1,000 h"), (1e12, ""),
      (.infinity, ""),
    ] as [(Double, String)] {
      #expect(Words.length(seconds) == text, "\(seconds)")
    }
  }

  @Test("A key is called as it is held down")
  func strokes() {
    for (stroke, name) in [
      (Stroke("j"), "j"), (Stroke(" "), "Space"), (Stroke("d", .control), "^d"),
      (Stroke(.enter), "Enter"), (Stroke(.escape), "Esc"), (Stroke(.tab, .shift), "Shift+Tab"),
      (Stroke(.up, .alt), "Alt+Up"), (Stroke(.pageDown, .control), "Ctrl+PageDown"),
      (Stroke(.function(5)), "F5"), (Stroke("x", [.control, .alt]), "Ctrl+Alt+x"),
      (Stroke(.home, [.shift, .alt, .control]), "Ctrl+Alt+Shift+Home"),
      (Stroke(" ", .control), "Ctrl+Space"),
    ] {
      #expect(stroke.name == name)
    }
  }

  @Test("What is looked for is found at the beginning, at that of a word, or within")
  func searches() {
    for (query, text, match) in [
      ("blue", "Blue Train", .beginning), ("train", "Blue Train", .beginnings),
      ("rain", "Blue Train", .within), ("blue rain", "Blue Train", .within),
      ("train blue", "Blue Train", .beginnings), (" blue  tr ", "Blue Train", .beginning),
      ("trains", "Blue Train", nil), ("train x", "Blue Train", nil), ("", "Blue", .beginning),
      ("agaetis", "Ágætis", nil), ("ágæ", "AGÆtis", .beginning), ("a", "", nil),
      ("bc", "abc a-bc", .beginnings), ("bc", "abc 1bc", .within), ("bc", "ébc", .within),
      ("bc", "zbc", .within), ("bc", "abc", .within), ("bc", "0bc", .within),
      ("bc", "9bc", .within), ("bc", "日bc", .within), ("bc", "`bc", .beginnings),
      ("bc", "{bc", .beginnings), ("bc", "/bc", .beginnings), ("bc", ":bc", .beginnings),
      ("e", "é", .beginning), ("本", "日本", .beginnings), ("aab", "aaab", .within),
    ] as [(String, String, Search.Match?)] {
      #expect(Search(query).match(Search.text(text)) == match, "\(query) in \(text)")
      #expect(Search(query).finds(Search.text(text)) == (match != nil))
    }
    #expect(Search("  ").isEmpty && !Search(" a").isEmpty)
    #expect(Search.Match.within < .beginnings && .beginnings < Search.Match.beginning)
  }
}
