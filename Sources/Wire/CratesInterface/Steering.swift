extension Unicode.Scalar {
  /// Whether the character acts on a terminal or on the text around it instead of being visible: it
  /// moves the cursor, ends a line, changes the writing direction or hides text. Joiners and
  /// variation selectors are not included, because words and emoji need them. `Glyphs` replaces the
  /// same characters, and noncharacters.
  package var isSteering: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    // Directional marks, embeddings, overrides and isolates, and their deprecated predecessors.
    case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x206F: true
    // Line and paragraph separators.
    case 0x2028...0x2029: true
    // The byte order mark, and interlinear annotations.
    case 0xFEFF, 0xFFF9...0xFFFB: true
    // Tag characters, which are invisible.
    case 0xE0000...0xE00FF: true
    default: false
    }
  }
}

extension String {
  /// The text with control characters replaced, so that it cannot act on a terminal or a log.
  package var harmless: String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
    var shown = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0...0x1F: shown.append(Unicode.Scalar(UInt32(0x2400) + scalar.value) ?? "\u{FFFD}")
      case 0x7F: shown.append("\u{2421}")
      default: shown.append(scalar.isSteering ? "\u{FFFD}" : scalar)
      }
    }
    return String(shown)
  }
}
