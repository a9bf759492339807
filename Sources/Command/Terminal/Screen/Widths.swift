/// The number of columns that a Unicode character takes in a terminal, as in glibc's wcwidth(3).
package enum Widths {
  /// Returns 0 for a combining character, 1, or 2. The width of a control character is not defined:
  /// it is shown as another character.
  package static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return value == 0xAD ? 0 : 1 }
    // Quotes and dashes; boxes, blocks and shapes.
    if (0x2010...0x2027).contains(value) || (0x2500...0x25FC).contains(value) { return 1 }
    // The vowels and finals of a Hangul syllable are combined with its first letter.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value) { return 0 }
    switch scalar.properties.generalCategory {
    // Spacing marks, such as Devanagari vowels, have a column.
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(scalar) ? 2 : 1
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    if value < 0x1100 { return false }
    if isRegional(scalar) { return false }
    if scalar.properties.isEmojiPresentation { return true }
    var low = 0
    var high = wide.count
    while low < high {
      let middle = (low + high) / 2
      if value > wide[middle].upperBound { low = middle + 1 } else { high = middle }
    }
    return low < wide.count && wide[low].contains(value)
  }

  /// Whether the scalar is half a flag. Each half has a column, whether it is drawn as a flag or as
  /// letters.
  static func isRegional(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  /// East Asian Wide and Fullwidth (Unicode Standard Annex 11), including unassigned code points in
  /// their blocks. Emoji are detected by their property.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
    0x4DC0...0x4DFF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
    0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]

  /// Whether all terminals agree on its width.
  static func isCertain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F, 0xA0..<0x300, 0x370..<0x483, 0x48A..<0x590, 0x1E00...0x1FFF: true
    case 0x2010...0x2027, 0x2500...0x259F, 0x3041...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
    default: false
    }
  }

  /// Returns the columns of a text as a grid shows it.
  package static func of(_ text: some StringProtocol) -> Int {
    var glyphs = Glyphs(text)
    var columns = 0
    while let glyph = glyphs.next() { columns += glyph.width }
    return columns
  }
}
