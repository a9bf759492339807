import TestSupport
import Testing

@testable import LibraryModel

@Suite("Natural order", .limited) struct NaturalOrderTests {
  private static let pieces = [
    "a", "B", "\u{E9}", "e\u{301}", "É", "ß", "SS", "ss", "2", "10", "010", "0", "00", " ",
    "\u{A0}",
    "\t", "z", "\u{AC01}", "\u{1100}\u{1161}\u{11A8}", "\u{FFFD}", "-", "\u{345}", "ﬁ", "fi", "",
  ]

  private static func text(_ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...4, using: &generator))
      .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
  }

  @Test("is a total order, in which only the same bytes are equal")
  func total() {
    var generator = SeededGenerator(usually: 54)
    for _ in 0..<20_000 {
      let start = "\(generator)"
      let texts = (0..<3).map { _ in Self.text(&generator) }
      let (a, b, c) = (texts[0], texts[1], texts[2])
      #expect(naturalPrecedence(a, b) == naturalPrecedence(b, a).map { !$0 }, "\(start)")
      #expect((naturalPrecedence(a, b) == nil) == a.utf8.elementsEqual(b.utf8), "\(start)")
      if naturalPrecedence(a, b) != false, naturalPrecedence(b, c) != false {
        #expect(naturalPrecedence(a, c) != false, "\(start): \(texts)")
      }
      let (first, second, third) = (NaturalKey(a), NaturalKey(b), NaturalKey(c))
      #expect([first < second, second < first, first == second].count { $0 } == 1, "\(start)")
      if first == second, second == third { #expect(first == third, "\(start)") }
      if first < second { #expect(comesNaturallyBefore(a, b), "\(start)") }
    }
  }

  @Test("puts all spellings of a name at one place")
  func spellings() {
    let names = ["Cafe", "Cafz", "Caf\u{E9} 2", "Cafe\u{301} 10", "CAFÉ 11", "Cage"]
    #expect(names.reversed().sorted(by: comesNaturallyBefore) == names)
    #expect(NaturalKey("Cafe\u{301}") == NaturalKey("CAF\u{C9}"))
    #expect(NaturalKey("Straße 02") == NaturalKey("STRASSE 2"))
    // Told apart by their bytes, so that nothing else decides.
    #expect(comesNaturallyBefore("Cafe\u{301}", "Caf\u{E9}"))
  }
}
