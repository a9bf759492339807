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
      switch CharacterKind(scalar) {
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
