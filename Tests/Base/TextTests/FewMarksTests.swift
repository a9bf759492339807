import TestSupport
import Testing
import Text

@Suite("Characters of many code points", .limited) struct FewMarksTests {
  private func marked(_ count: Int, _ marks: String = "\u{301}") -> String {
    "e" + String(repeating: marks, count: count)
  }

  @Test("keep thirty marks, and each other character as it is")
  func marks() {
    expectSame(withFewMarks(marked(30)), marked(30))
    expectSame(withFewMarks(marked(31)), marked(30))
    expectSame(
      withFewMarks("a" + marked(5_000) + "b" + marked(31) + "c"),
      "a" + marked(30) + "b" + marked(30) + "c")
    // Marks of two classes; marks without a letter, joiners, consonants that join by themselves.
    expectSame(withFewMarks(marked(40, "\u{301}\u{323}")), marked(15, "\u{301}\u{323}"))
    for scalar in ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{E0061}", "\u{1100}"] {
      let text = withFewMarks(String(repeating: scalar, count: 1_000))
      #expect(text.allSatisfy { $0.unicodeScalars.count <= 31 }, "\(scalar)")
    }
  }

  @Test(
    "stay where people write them",
    arguments: [
      "", "Sigur Rós – Ágætis byrjun",
      "👩🏽‍❤️‍💋‍👨🏿 and 🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
      "สุดที่รักของฉันคนเดียวตลอดไปไม่มีวันเปลี่ยนแปลง", "क्षत्रिय की पूरी कहानी और उसके सारे गीत",
      "Z\u{351}\u{36B}\u{343}\u{32A}\u{302}\u{36B}\u{33D}\u{34F}\u{334}\u{319}\u{324}algo",
      "後藤輝基 の 夏休み はじまるよ ここから ずっと つづく",
    ])
  func others(text: String) { expectSame(withFewMarks(text), text) }

  @Test("cost in proportion to their length, also where names are compared")
  func cost() {
    for (name, work) in [
      ("few", { _ = withFewMarks($0) }),
      ("folded", { _ = folded($0) }), ("normalised", { _ = normalised($0) }),
      ("apart", { _ = takenApart($0) }), ("path", { _ = normalised(Array($0.utf8)) }),
    ] as [(String, (String) -> Void)] {
      let ratio = Cost.ratio(8_000, 32_000) { count in
        let text = marked(count, "\u{301}\u{323}")
        return Cost.time { for _ in 0..<4 { work(text) } }
      }
      #expect(ratio < Cost.mostOfFourTimes, "\(name): \(ratio)")
    }
  }
}
