/// The kind of a character for searches and sorting, in a decomposed text.
package enum CharacterKind: Sendable {
  /// A letter or digit, without case, and as it is usually typed.
  case letter(String)
  /// A letter of a script without blanks between words.
  case unspaced
  /// A part of the letter before it.
  case mark
  /// An accent, or another character that is left out.
  case accent
  /// Punctuation or a symbol.
  case sign
  case blank

  package init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x30...0x39, 0x61...0x7A: self = .letter(String(scalar))
    case 0x41...0x5A: self = .letter(String(Unicode.Scalar(UInt8(scalar.value) | 0x20)))
    case 0...0x20, 0x7F: self = .blank
    case 0..<0x80: self = .sign
    case Self.often: self = Self.kinds[Int(scalar.value - Self.often.lowerBound)]
    default: self = CharacterKind(beyondASCII: scalar)
    }
  }

  /// Latin, Greek, Cyrillic and accents.
  private static let often: Range<UInt32> = 0x80..<0x530
  /// The kinds of these characters. A lookup in Unicode's tables takes many times as long.
  private static let kinds = often.compactMap { Unicode.Scalar($0) }.map(Self.init(beyondASCII:))

  private init(beyondASCII scalar: Unicode.Scalar) {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber:
      if Self.isUnspaced(scalar.value) {
        self = .unspaced
      } else {
        let letter = folded(String(scalar))
        self = .letter(Self.plain[letter] ?? letter)
      }
    case .nonspacingMark, .spacingMark, .enclosingMark:
      // Accents, vowel points and tone marks have classes above 9; those below are parts of
      // letters.
      self = properties.canonicalCombiningClass.rawValue > 9 ? .accent : .mark
    case .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation, .connectorPunctuation, .mathSymbol, .currencySymbol,
      .otherSymbol:
      self = .sign
    case .modifierSymbol: self = .accent
    case .format: self = .accent
    default: self = .blank
    }
  }

  /// Letters that neither decomposition nor folding makes plain, with what is usually typed for
  /// them.
  private static let plain = [
    "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ŧ": "t",
    "ŋ": "n",
  ]

  /// Whether the character is Thai, Lao, Burmese, Khmer, kana, Bopomofo or Han: Unicode,
  /// Blocks.txt.
  package static func isUnspaced(_ value: UInt32) -> Bool {
    switch value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0x2FDF, 0x3005...0x3007,
      0x3021...0x3029, 0x3040...0x312F, 0x31A0...0x31BF, 0x31F0...0x31FF, 0x3400...0x4DBF,
      0x4E00...0x9FFF, 0xF900...0xFAFF, 0x1B000...0x1B16F, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}

/// Returns the key by which names are sorted, in UTF-8: the letters as in a search, with one blank
/// for any white space, and no sign before the first letter.
package func sortedLetters(_ text: String) -> [UInt8] {
  var letters: [UInt8] = []
  letters.reserveCapacity(text.utf8.count)
  var followsBlank = false
  func add(_ text: String) {
    if followsBlank { letters.append(0x20) }
    followsBlank = false
    letters += text.utf8
  }
  for scalar in takenApart(text).unicodeScalars {
    switch CharacterKind(scalar) {
    case .letter(let letter): add(letter)
    case .sign where letters.isEmpty: continue
    case .unspaced, .mark, .sign: add(String(scalar))
    case .accent: continue
    case .blank: followsBlank = !letters.isEmpty
    }
  }
  return letters
}
