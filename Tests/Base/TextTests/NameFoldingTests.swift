import Foundation
import TestSupport
import Testing
import Text

@Suite("Folded names", .limited) struct NameFoldingTests {
  @Test(
    "are those that Unicode's full case folding gives, in NFC",
    arguments: [
      // CaseFolding.txt: common, full, and none for what has no case.
      ("A", "a"), ("\u{B5}", "\u{3BC}"), ("\u{C0}", "\u{E0}"), ("\u{DF}", "ss"),
      ("\u{1E9E}", "ss"), ("\u{130}", "i\u{307}"), ("\u{149}", "\u{2BC}n"), ("\u{17F}", "s"),
      ("\u{1F0}", "\u{1F0}"), ("\u{345}", "\u{3B9}"), ("\u{390}", "\u{390}"),
      ("\u{3A3}", "\u{3C3}"), ("\u{3C2}", "\u{3C3}"), ("\u{587}", "\u{565}\u{582}"),
      ("\u{1E96}", "\u{1E96}"), ("\u{1E9B}", "\u{1E61}"), ("\u{1F80}", "\u{1F00}\u{3B9}"),
      ("\u{1FB3}", "\u{3B1}\u{3B9}"), ("\u{1FFC}", "\u{3C9}\u{3B9}"), ("\u{2126}", "\u{3C9}"),
      ("\u{212A}", "k"), ("\u{212B}", "\u{E5}"), ("\u{2160}", "\u{2170}"),
      ("\u{FB00}", "ff"), ("\u{FB03}", "ffi"), ("\u{FB06}", "st"), ("\u{FB13}", "\u{574}\u{576}"),
      ("\u{FF21}", "\u{FF41}"), ("\u{10400}", "\u{10428}"), ("\u{1E900}", "\u{1E922}"),
      ("\u{AB70}", "\u{13A0}"), ("\u{13F8}", "\u{13F0}"), ("\u{4E2D}", "\u{4E2D}"),
      // A name in capitals, and what it was.
      ("STRASSE", "strasse"), ("Straße", "strasse"), ("ΟΔΟΣ", "οδοσ"), ("οδος", "οδοσ"),
      ("\u{130}STANBUL", "i\u{307}stanbul"), ("i\u{307}stanbul", "i\u{307}stanbul"),
      // Dotless, which Unicode leaves alone: its capital is I.
      ("I\u{15E}IK", "i\u{15F}ik"), ("\u{131}\u{15F}\u{131}k", "i\u{15F}ik"),
    ])
  func table(name: String, expected: String) { expectSame(folded(name), expected) }

  @Test(
    "are spelled in one way",
    arguments: [
      // NormalizationTest.txt: order of marks, what is left out of composition, Hangul, Kana.
      ("e\u{301}", "\u{E9}"), ("s\u{307}\u{323}", "\u{1E69}"),
      ("\u{1E0B}\u{323}", "\u{1E0D}\u{307}"),
      ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("\u{344}", "\u{308}\u{301}"),
      ("\u{958}", "\u{915}\u{93C}"), ("\u{FB1D}", "\u{5D9}\u{5B4}"),
      ("\u{1100}\u{1161}", "\u{AC00}"), ("\u{AC00}\u{11A8}", "\u{AC01}"),
      ("\u{1100}\u{1161}\u{11A8}", "\u{AC01}"), ("\u{30AB}\u{3099}", "\u{30AC}"),
      ("\u{F900}", "\u{8C48}"), ("\u{2F800}", "\u{4E3D}"), ("\u{1D15E}", "\u{1D157}\u{1D165}"),
      ("a\u{315}\u{300}\u{5AE}\u{300}b", "\u{E0}\u{5AE}\u{300}\u{315}b"),
      ("\u{340}\u{341}\u{343}\u{37E}", "\u{300}\u{301}\u{313};"),
      // Only what looks the same is the same: no compatibility.
      ("\u{FF76}\u{FF9E}", "\u{FF76}\u{FF9E}"), ("x\u{B2}", "x\u{B2}"), ("\u{2026}", "\u{2026}"),
    ])
  func spelling(name: String, expected: String) {
    expectSame(normalised(name), expected)
    expectSame(folded(name), expected)
  }

  @Test("have nothing that can't be seen, and one blank for any white space, none around them")
  func blanks() {
    expectSame(folded(" \t Kind\u{A0}\u{3000}of\r\nBlue "), "kind of blue")
    expectSame(folded("\u{2003}Déjà \u{2028} Vu\u{85}"), "déjà vu")
    expectSame(folded("\u{A0}"), "")
    expectSame(folded(""), "")
    for scalar in Unicode.Scalar.tested {
      let isBlank = scalar.properties.isWhitespace
      // What is not assigned yet is nowhere written.
      let isUnseen = isUnseen(scalar) && scalar.properties.generalCategory != .unassigned
      // A million expectations would take longer than what they look at.
      if (folded("a\(scalar)b") == "a b") != isBlank
        || (folded("a\(scalar)b") == "ab") != isUnseen
        || folded("\(scalar)").isEmpty != (isBlank || isUnseen)
      {
        Issue.record("\(scalar.debugDescription)")
      }
    }
  }

  @Test("are the same for a character, its capital, its small letter and its title letter")
  func letterCase() {
    for scalar in Unicode.Scalar.tested {
      let own = folded("\(scalar)")
      for other in [
        scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping,
        scalar.properties.titlecaseMapping,
      ] where (other + "\(scalar)").unicodeScalars.allSatisfy(isOfUnicode15) {
        expectSame(folded(other), own, "\(scalar.value)")
      }
    }
  }

  @Test("stay as they are when they are folded again")
  func again() {
    for scalar in Unicode.Scalar.tested {
      for text in ["\(scalar)", "A\(scalar)", "\(scalar)\u{301}", "\u{3B1}\(scalar)\u{345}"] {
        let once = folded(text)
        expectSame(folded(once), once, "\(scalar.value)")
        expectSame(normalised(once), once, "\(scalar.value)")
      }
    }
    var generator = SeededGenerator(usually: 51)
    for _ in 0..<20_000 {
      let (start, text) = ("\(generator)", Self.spellings(&generator)[0])
      let once = folded(text)
      expectSame(folded(once), once, start)
      expectSame(normalised(once), once, start)
    }
  }

  @Test("are the same for all spellings that Swift takes for one")
  func equivalents() {
    var generator = SeededGenerator(usually: 52)
    var differed = 0
    for _ in 0..<20_000 {
      let start = "\(generator)"
      let spellings = Self.spellings(&generator)
      #expect(spellings[0] == spellings[1], "\(start)")
      expectSame(normalised(spellings[0]), normalised(spellings[1]), start)
      expectSame(folded(spellings[0]), folded(spellings[1]), start)
      if !spellings[0].utf8.elementsEqual(spellings[1].utf8) { differed += 1 }
    }
    #expect(differed > 10_000)
    for scalar in Unicode.Scalar.tested where normalised("\(scalar)") != "\(scalar)" {
      Issue.record("\(scalar.debugDescription)")
    }
  }

  /// Pieces with all the ways to spell them.
  private static let pieces = [
    ["a"], ["Z"], [" "], ["\u{3000}"], ["ß"], ["\u{345}"], ["\u{328}"], ["\u{323}"], ["\u{308}"],
    ["\u{E9}", "e\u{301}"], ["\u{C5}", "A\u{30A}", "\u{212B}"], ["\u{2126}", "\u{3A9}"],
    ["\u{1E69}", "s\u{323}\u{307}", "s\u{307}\u{323}", "\u{1E63}\u{307}", "\u{1E61}\u{323}"],
    ["\u{AC01}", "\u{1100}\u{1161}\u{11A8}", "\u{AC00}\u{11A8}"], ["\u{130}", "I\u{307}"],
    ["\u{1F82}", "\u{3B1}\u{313}\u{300}\u{345}", "\u{1FB3}\u{313}\u{300}"], ["\u{131}"],
    ["\u{958}", "\u{915}\u{93C}"], ["\u{390}", "\u{3CA}\u{301}", "\u{3B9}\u{308}\u{301}"],
    ["\u{1D160}", "\u{1D158}\u{1D165}\u{1D16E}"], ["\u{37E}", ";"],
  ]

  /// Two spellings of one text.
  private static func spellings(_ generator: inout SeededGenerator) -> [String] {
    var texts = ["", ""]
    for _ in 0..<Int.random(in: 1...8, using: &generator) {
      let piece = pieces.randomElement(using: &generator) ?? []
      for index in texts.indices { texts[index] += piece.randomElement(using: &generator) ?? "" }
    }
    return texts
  }

  @Test("are the same with and without a letter beyond ASCII")
  func plain() {
    var generator = SeededGenerator(usually: 53)
    for _ in 0..<20_000 {
      let start = "\(generator)"
      let bytes = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        Bool.random(using: &generator)
          ? UInt8.random(in: 0..<0x80, using: &generator)
          : [0x20, 0x09, 0x41, 0x61, 0x5A, 0x5B, 0x40].randomElement(using: &generator) ?? 0
      }
      let name = String(decoding: bytes, as: UTF8.self)
      expectSame("é" + folded("|" + name), folded("É|" + name), start)
      expectSame(normalised(name), name, start)
    }
  }

  @Test("may be long, and longer than they were")
  func long() {
    for count in [84, 85, 86, 254, 255, 256, 257, 258, 1000, 65_536] {
      expectSame(
        folded(String(repeating: "E\u{301}", count: count)),
        String(repeating: "\u{E9}", count: count))
      expectSame(
        folded(String(repeating: "\u{FB03}", count: count)), String(repeating: "ffi", count: count))
      // Three times as many bytes.
      expectSame(
        folded(String(repeating: "\u{1D160}", count: count)),
        String(repeating: "\u{1D158}\u{1D165}\u{1D16E}", count: count))
    }
    // Many characters of many marks, which are put in order.
    let marks = String(repeating: "\u{301}", count: 15)
    let low = String(repeating: "\u{323}", count: 15)
    expectSame(
      normalised(String(repeating: "q" + marks + low, count: 1_000)),
      String(repeating: "q" + low + marks, count: 1_000))
  }

  @Test("What a search looks at is taken apart as Foundation does it, its marks in order")
  func takenApartNames() {
    expectSame(takenApart("ﬁre Ⅻ ｶﾞ é"), "fire XII \u{30AB}\u{3099} e\u{301}")
    for scalar in Unicode.Scalar.tested where isOfUnicode15(scalar) {
      let name = "a\(scalar)b"
      let expected = isUnseen(scalar) ? "ab" : name.decomposedStringWithCompatibilityMapping
      if scalar.properties.generalCategory != .unassigned { expectSame(takenApart(name), expected) }
    }
    // Foundation puts those last that come of another character.
    expectSame(takenApart("a\u{385}\u{323}"), "a \u{323}\u{308}\u{301}")
    expectSame(takenApart("a\u{301}\u{F73}"), "a\u{F71}\u{F72}\u{301}")
    // One character of eighteen.
    let long = String(repeating: "\u{FDFA}", count: 1_000)
    expectSame(takenApart(long), long.decomposedStringWithCompatibilityMapping)
    expectSame(takenApart(""), "")
  }

  @Test("Bytes that are not UTF-8 stay as they are")
  func bytes() {
    for bytes: [UInt8] in [
      [0xFF], [0x65, 0xCC], [0x65, 0xCC, 0x81, 0xFF], [0xED, 0xA0, 0x80], [0xC0, 0x80], [],
      [0xF4, 0x90, 0x80, 0x80], Array("Kind of Blue".utf8),
    ] { #expect(normalised(bytes) == bytes) }
    #expect(normalised(Array("e\u{301}".utf8)) == Array("\u{E9}".utf8))
    // Neither is case a spelling, nor are blanks.
    for name in ["E\u{301}TÉ  Ça\tSS ß", "\u{3000}Ǆ\u{A0}"] {
      expectSame(normalised(name), name.precomposedStringWithCanonicalMapping)
      #expect(normalised(Array(name.utf8)) == Array(normalised(name).utf8))
    }
  }
}

private func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
  scalar.properties.isDefaultIgnorableCodePoint
}

/// Swift's tables may be newer than those of the oldest libutf8proc that we build with.
private func isOfUnicode15(_ scalar: Unicode.Scalar) -> Bool {
  scalar.properties.age.map { $0 <= (15, 0) } ?? false
}

/// Byte for byte: `==` takes all spellings for one.
func expectSame(
  _ found: String, _ expected: String, _ comment: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  if found.utf8.elementsEqual(expected.utf8) { return }
  let texts = [found, expected].map { $0.unicodeScalars.prefix(20).map(\.debugDescription) }
  Issue.record("\(texts[0]) is not \(texts[1]) \(comment)", sourceLocation: sourceLocation)
}
