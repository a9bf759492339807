import Terminal

/// The number of terminal columns of a text.
enum DisplayWidth {
  static func of(_ text: String) -> Int {
    // A fast path for ASCII, where each byte is a column.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    // An emoji with its variation selector, skin tone, joiners or second half of a flag.
    let isPicture = scalars.contains { $0.properties.isEmojiPresentation }
    if isPicture || (scalars.count > 1 && scalars.contains(emojiSelector)) { return 2 }
    // Vowel signs beside their letter take a column of their own.
    let beside = scalars.dropFirst().count { $0.properties.generalCategory == .spacingMark }
    return scalars.reduce(0) { max($0, Widths.of($1)) } + beside
  }

  private static let emojiSelector: Unicode.Scalar = "\u{FE0F}"
}
