import LibraryModel
import Text

/// The words of a text as searches compare them: without case and accents. In scripts without
/// blanks between words, each character is a word.
struct SearchWords: Equatable {
  /// Letters and digits, in the order of the text.
  private(set) var words: [String] = []
  /// Several words between two blanks, joined: `acdc` of `AC/DC`, `dont` of `Don't`.
  private(set) var joined: [String] = []
  /// Each character that is no letter, digit or blank: there are bands called `!!!`.
  private(set) var signs: [String] = []

  /// The maximum number of words, joined words and signs of a text; later ones are not found.
  static let most = 256
  /// The approximate maximum length of a word in bytes. A longer one is cut, in texts and in
  /// queries.
  static let longestWord = 200

  init(_ text: some StringProtocol) {
    let isPlain = text.utf8.allSatisfy(UTF8.isASCII)
    // Decomposes half-width letters, ligatures, superscripts and accents.
    let plain = isPlain ? String(text) : takenApart(String(text))
    var chunk = Chunk()
    for scalar in plain.unicodeScalars {
      switch CharacterKind(scalar) {
      case .letter(let folded): chunk.add(folded, isWord: false)
      case .unspaced: chunk.add(String(scalar), isWord: true)
      case .mark: chunk.append(String(scalar))
      case .accent: continue
      case .sign:
        chunk.divide()
        if signs.count < Self.most { signs.append(Self.sign(scalar)) }
      case .blank:
        append(chunk)
        chunk = Chunk()
      }
      // The last word is read to its end.
      if words.count + chunk.words.count > Self.most { break }
    }
    append(chunk)
  }

  private mutating func append(_ chunk: Chunk) {
    words += chunk.words.prefix(Self.most - words.count)
    if chunk.words.count > 1, !chunk.isUnspaced {
      joined.append(String(chunk.words.joined().prefix(Self.longestWord)))
    }
  }

  /// Maps an ASCII sign to a private character: SQLite's tokenizer drops ASCII signs, and takes all
  /// beyond ASCII for parts of words.
  private static func sign(_ scalar: Unicode.Scalar) -> String {
    guard scalar.isASCII, let own = Unicode.Scalar(0xE000 + scalar.value) else {
      return String(scalar)
    }
    return String(own)
  }

  /// The words between two blanks.
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
