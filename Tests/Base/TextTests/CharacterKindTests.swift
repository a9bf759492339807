import TestSupport
import Testing

@testable import Text

@Suite("Characters for searches and sorts", .limited) struct CharacterKindTests {
  @Test("the first and the last of each block without blanks are known")
  func blocks() {
    // Unicode 15, Blocks.txt, put together where one follows the other.
    for (first, last) in [
      (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0x2FDF), (0x3005, 0x3007),
      (0x3021, 0x3029), (0x3040, 0x312F), (0x31A0, 0x31BF), (0x31F0, 0x31FF), (0x3400, 0x4DBF),
      (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x1B000, 0x1B16F), (0x20000, 0x3FFFF),
    ] as [(UInt32, UInt32)] {
      #expect(CharacterKind.isUnspaced(first) && CharacterKind.isUnspaced(last))
      #expect(!CharacterKind.isUnspaced(first - 1) && !CharacterKind.isUnspaced(last + 1))
    }
  }

  @Test("a name's letters have neither case nor accents, nor signs before the first of them")
  func letters() {
    for (name, letters) in [
      ("Émilie", "emilie"), ("ÉMILIE", "emilie"), ("E\u{301}milie", "emilie"), ("Ёлка", "елка"),
      ("Björk", "bjork"), ("Øystein", "oystein"), ("Ærø", "aero"), ("Łódź", "lodz"),
      ("Straße", "strasse"), ("İstanbul", "istanbul"), ("ısı", "isi"), ("Ｆｕｌｌ　１", "full 1"),
      ("“Heroes”", "heroes\u{201D}"), ("¿Qué?", "que?"), ("…And", "and"), ("«Да»", "да»"),
      ("— — 時", "時"), ("P!nk é", "p!nk e"), ("é\u{A0}\u{2003} é ", "e e"), ("★", ""), ("", ""),
      ("が", "か\u{3099}"), ("한", "\u{1112}\u{1161}\u{11AB}"), ("हिन्दी", "हिन्दी"),
    ] {
      #expect(
        String(decoding: sortedLetters(name), as: UTF8.self).unicodeScalars
          .elementsEqual(letters.unicodeScalars), "\(name)")
    }
  }
}
