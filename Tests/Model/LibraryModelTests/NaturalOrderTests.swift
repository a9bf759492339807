import TestSupport
import Testing
import Text

@testable import LibraryModel

@Suite("Natural order", .limited) struct NaturalOrderTests {
  private static let pieces = [
    "a", "B", "\u{E9}", "e\u{301}", "É", "e", "E", "ß", "SS", "ss", "2", "10", "010", "0", "00",
    " ",
    "\u{A0}", "\t", "z", "\u{AC01}", "\u{1100}\u{1161}\u{11A8}", "\u{FFFD}", "-", "\u{345}", "ﬁ",
    "fi", "", "(", "“", "…", "'", "!", "ø", "Ё", "е", "が", "か", "\u{3099}", "１", "½", "\u{200B}",
    "\u{7F}", "_",
  ]

  private static func text(_ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...4, using: &generator))
      .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
  }

  @Test("is a strict total order, in which only spellings of one name are equal")
  func total() {
    var generator = SeededGenerator(usually: 54)
    for _ in 0..<20_000 {
      let start = "\(generator)"
      let texts = (0..<3).map { _ in Self.text(&generator) }
      let (a, b, c) = (texts[0], texts[1], texts[2])
      let order = naturalPrecedence(a, b)
      #expect(order == naturalPrecedence(b, a).map { !$0 }, "\(start): \(texts)")
      #expect((order == nil) == normalised(a).utf8.elementsEqual(normalised(b).utf8), "\(start)")
      if order != false, naturalPrecedence(b, c) != false {
        #expect(naturalPrecedence(a, c) != false, "\(start): \(texts)")
      }
      // However it is asked for.
      #expect(naturalPrecedence(Array(a.utf8), Array(b.utf8)) == order, "\(start): \(texts)")
      let (first, second) = (NaturalKey(a), NaturalKey(b))
      #expect((first == second) == (order == nil), "\(start)")
      #expect((first < second) == (order == true), "\(start)")
    }
  }

  @Test("puts names where people look for them")
  func names() {
    let names = [
      // Signs alone come first.
      "!!!", "...", "★",
      "2 Unlimited", "10cc", "1975",
      "ABBA", "abba", "Æon", "(aha)", "Björk", "“Bla”", "¡Bravo!",
      "Eagles", "Emilie", "Émilie", "émilie", "ÉMILIE 2", "Emilie 10", "Emilio",
      "Olsen", "Österreich", "Øystein", "...Trail", "$uicide", "Zappa", "Елена", "Ёлка", "Жук", "あ",
    ]
    #expect(names.reversed().sorted(by: comesNaturallyBefore) == names)
    #expect(names.map(NaturalKey.init).sorted() == names.map(NaturalKey.init))
  }

  @Test("takes two normal forms for one name, and orders what else is alike by itself")
  func spellings() {
    #expect(NaturalKey("Cafe\u{301}") == NaturalKey("Caf\u{E9}"))
    #expect(naturalPrecedence("Cafe\u{301}", "Caf\u{E9}") == nil)
    #expect(naturalPrecedence("Straße 2", "STRASSE 02") == false)
    #expect(naturalPrecedence("STRASSE 02", "Straße 2") == true)
    #expect(naturalPrecedence("The  Band", "The Band") == true)
  }
}
