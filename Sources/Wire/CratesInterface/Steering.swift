extension Unicode.Scalar {
  /// Whether it does something to what it stands in, in place of being seen: moves a cursor, ends a
  /// line, turns the direction of writing or hides a text. Joiners and selectors are left out:
  /// words and pictures are made with them. Grids of a terminal (`Glyphs`) know the same ones.
  package var isSteering: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    // Marks, embeddings, overrides and isolates of direction, and what came before those.
    case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x206F: true
    // Line and paragraph separators.
    case 0x2028...0x2029: true
    // The byte order mark; annotations.
    case 0xFEFF, 0xFFF9...0xFFFB: true
    // Tags: a text that nobody sees.
    case 0xE0000...0xE00FF: true
    default: false
    }
  }
}

extension String {
  /// The text with every character made visible that would steer a terminal or a log.
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
