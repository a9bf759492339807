/// How many columns of a terminal a text takes.
enum DisplayWidth {
  static func of(_ text: String) -> Int {
    // Most titles are ASCII, where each byte is a column.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    // A picture with its variation selector, skin tone, joiners or second half of a flag.
    let isPicture = scalars.contains { $0.properties.isEmojiPresentation }
    if isPicture || (scalars.count > 1 && scalars.contains(emojiSelector)) { return 2 }
    // Vowel signs that stand beside their letter take a column of their own.
    let beside = scalars.dropFirst().count { $0.properties.generalCategory == .spacingMark }
    return scalars.reduce(0) { max($0, of($1)) } + beside
  }

  private static let emojiSelector: Unicode.Scalar = "\u{FE0F}"

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    // Vowels and finals of a Hangul syllable stand in the column of its first letter.
    if (0x1160...0x11FF).contains(scalar.value) { return 0 }
    return wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  /// East Asian Wide and Fullwidth, by whole blocks (Unicode Standard Annex 11); pictures are known
  /// by their property.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
    0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
    0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
