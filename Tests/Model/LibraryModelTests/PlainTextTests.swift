import TestSupport
import Testing

@testable import LibraryModel

@Suite("Titles made from names", .limited) struct PlainTextTests {
  @Test("have no control characters, as those from tags")
  func controls() {
    var world = World()
    world.put("Al\u{1B}]0;x\u{7}b\tum\u{9B}2J/01 So\u{1B}[31mng\r\n.mp3", sound: 1)
    world.merge()
    let songs = world.songs(of: "Al]0;xb um2J")
    #expect(songs == ["So[31mng"])
  }

  @Test(
    "have nothing that can't be seen at either end",
    arguments: [
      ("a\tb\u{85}c", "a bc"), ("plain – text 🐍", "plain – text 🐍"), ("", ""), (" ", ""),
      (" Homework\n", "Homework"), ("\u{FEFF}Homework", "Homework"),
      ("Homework\u{200B}", "Homework"), ("\u{200B} \u{FEFF}\u{3000}Home\u{A0}", "Home"),
      ("Homework\u{E0041}\u{E007F}", "Homework"), ("\u{AD}\u{2060}é\u{200D}", "é"),
      ("a\u{301}", "a\u{301}"), ("\u{FEFF}", ""),
      // What shapes a character stays, and so do joiners within a text.
      ("\u{2764}\u{FE0F} ", "\u{2764}\u{FE0F}"),
      ("\u{1F3F4}\u{E0067}\u{E007F}", "\u{1F3F4}\u{E0067}\u{E007F}"),
      ("می\u{200C}خواهم", "می\u{200C}خواهم"),
    ])
  func trimmed(text: String, expected: String) {
    #expect(cleanText(text).unicodeScalars.elementsEqual(expected.unicodeScalars))
  }

  @Test("say that they are unknown where nothing is left")
  func nothing() {
    #expect(shownTitle("", path: BytePath("Music/\u{1}\u{2}.mp3")) == "Unknown")
    #expect(shownName([0x1B]) == "Unknown")
    #expect(shownName([0x41, 0xFF]) == "A\u{FFFD}")
    #expect(shownTitle(cleanText(" \u{200B}\u{3000}"), path: BytePath("Music/One.mp3")) == "One")
  }

  @Test("a text is cut between two of its characters, to as many bytes as there may be")
  func cuts() {
    let marks = String(repeating: "\u{301}", count: 2_000)
    for (text, most, cut) in [
      ("", 0, ""), ("abc", 3, "abc"), ("abc", 2, "ab"), ("abc", 0, ""), ("aé", 3, "aé"),
      ("aé", 2, "a"), ("é", 1, ""), ("後a", 3, "後"), ("後a", 2, ""),
      // Two scalars, one character.
      ("ae\u{301}", 4, "ae\u{301}"), ("ae\u{301}", 3, "a"), ("ae\u{301}", 2, "a"),
      ("e" + marks, 1_000, ""), ("be" + marks, 1_000, "b"),
      ("a\r\nb", 3, "a\r\n"), ("a\r\nb", 2, "a"),
    ] {
      #expect(text.cut(toBytes: most).utf8.elementsEqual(cut.utf8), "\(text), \(most)")
    }
  }

  @Test("cost in proportion to their length where they are cut, also within one character")
  func cost() {
    for rest in [0, 1] {
      let ratio = Cost.ratio(8_000, 32_000) { count in
        let text = "e" + String(repeating: "\u{301}\u{323}", count: count)
        let most = rest == 0 ? 1_024 : text.utf8.count - 1
        return Cost.time { for _ in 0..<4 { _ = text.cut(toBytes: most) } }
      }
      #expect(ratio < Cost.mostOfFourTimes, "\(rest): \(ratio)")
    }
  }
}
