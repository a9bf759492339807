import LibraryModel
import Text

/// The words of a text as the search compares them: without case and accents, one for each
/// character of a script that puts no blanks between words.
struct SearchWords: Equatable {
  /// In the order of the text: letters and digits.
  private(set) var words: [String] = []
  /// What blanks alone divide, in one piece, where the words have more: `acdc` of `AC/DC`, `dont`
  /// of `Don't`.
  private(set) var joined: [String] = []
  /// Each sign that is neither letter, digit nor blank, by itself: there are bands called `!!!`.
  private(set) var signs: [String] = []

  /// Words, joined ones and signs that are taken of one text; what follows is not found.
  static let most = 256
  /// Bytes of one word, roughly; a longer one is cut, in what is searched and what is searched for.
  static let longestWord = 200

  init(_ text: some StringProtocol) {
    let isPlain = text.utf8.allSatisfy(UTF8.isASCII)
    // Half-width, ligatures, superscripts and accents come apart.
    let plain = isPlain ? String(text) : takenApart(String(text))
    var chunk = Chunk()
    for scalar in plain.unicodeScalars {
      switch Kind(scalar) {
      case .letter(let folded): chunk.add(folded, isWord: false)
      case .unspaced: chunk.add(String(scalar), isWord: true)
      case .mark: chunk.append(String(scalar))
      case .accent: continue
      case .sign:
        chunk.divide()
        if signs.count < Self.most { signs.append(Self.sign(scalar)) }
      case .blank:
        take(chunk)
        chunk = Chunk()
      }
      // The last that counts is read to its end.
      if words.count + chunk.words.count > Self.most { break }
    }
    take(chunk)
  }

  private mutating func take(_ chunk: Chunk) {
    words += chunk.words.prefix(Self.most - words.count)
    if chunk.words.count > 1, !chunk.isUnspaced {
      joined.append(String(chunk.words.joined().prefix(Self.longestWord)))
    }
  }

  /// SQLite's tokenizer takes letters, digits and all beyond ASCII for parts of words.
  private static func sign(_ scalar: Unicode.Scalar) -> String {
    guard scalar.isASCII, let own = Unicode.Scalar(0xE000 + scalar.value) else {
      return String(scalar)
    }
    return String(own)
  }

  /// Thai, Lao, Burmese, Khmer, kana, Bopomofo and Han: Unicode, Blocks.txt.
  static func isUnspaced(_ value: UInt32) -> Bool {
    switch value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0x2FDF, 0x3005...0x3007,
      0x3021...0x3029, 0x3040...0x312F, 0x31A0...0x31BF, 0x31F0...0x31FF, 0x3400...0x4DBF,
      0x4E00...0x9FFF, 0xF900...0xFAFF, 0x1B000...0x1B16F, 0x20000...0x3FFFF:
      true
    default: false
    }
  }

  /// What stands between two blanks.
  private struct Chunk {
    var words: [String] = []
    var isUnspaced = false
    private var isOpen = false

    mutating func add(_ text: String, isWord: Bool) {
      isUnspaced = isUnspaced || isWord
      if isOpen, !isWord {
        append(text)
      } else {
        words.append(text)
      }
      isOpen = !isWord
    }

    mutating func append(_ text: String) {
      guard let last = words.indices.last, words[last].utf8.count < SearchWords.longestWord else {
        return
      }
      words[last] += text
    }

    mutating func divide() { isOpen = false }
  }
}

/// What a character of a decomposed text is to the search.
private enum Kind {
  case letter(String), unspaced, mark, accent, sign, blank

  init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x30...0x39, 0x61...0x7A: self = .letter(String(scalar))
    case 0x41...0x5A: self = .letter(String(Unicode.Scalar(UInt8(scalar.value) | 0x20)))
    case 0...0x20, 0x7F: self = .blank
    case 0..<0x80: self = .sign
    default: self = Kind(beyondASCII: scalar)
    }
  }

  private init(beyondASCII scalar: Unicode.Scalar) {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber:
      if SearchWords.isUnspaced(scalar.value) {
        self = .unspaced
      } else {
        let letter = Text.folded(String(scalar))
        self = .letter(Self.plain[letter] ?? letter)
      }
    case .nonspacingMark, .spacingMark, .enclosingMark:
      // Accents, vowel points and tone marks have the classes above 9; below are parts of letters.
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

  /// Letters that neither decomposition nor folding makes plain, and what people type for them.
  private static let plain = [
    "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ŧ": "t",
    "ŋ": "n",
  ]
}
