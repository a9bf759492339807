/// Splits a text into glyphs, each a character with its combining marks. No glyph contains a
/// control character, and all terminals show it in the same number of columns.
///
/// Of an emoji sequence only the first emoji is shown: terminals differ by several columns in how
/// they handle joiners, skin tones and selectors.
struct Glyphs: IteratorProtocol {
  struct Glyph {
    /// The scalars of the glyph if there are several. Only the first one has a width.
    var scalars: [Unicode.Scalar]
    /// The only scalar of the glyph, or its first.
    var scalar: Unicode.Scalar
    var width: Int
  }

  /// The most scalars in a glyph; further marks are dropped. No language needs more than five.
  static let scalarsMost = 8

  private var rest: Substring.UnicodeScalarView.SubSequence
  private let isASCII: Bool

  /// - Parameter isASCII: Whether the terminal shows only ASCII.
  init(_ text: some StringProtocol, isASCII: Bool = false) {
    rest = Substring(text).unicodeScalars[...]
    self.isASCII = isASCII
  }

  mutating func next() -> Glyph? {
    while let scalar = rest.popFirst() {
      let value = scalar.value
      if value >= 0x20 && value < 0x7F {
        if !isASCII, let next = rest.first, next.value >= 0x300 {
          return gathered(scalar, width: 1)
        }
        return Glyph(scalars: [], scalar: scalar, width: 1)
      }
      if let shown = Self.shownInstead(of: scalar) {
        return Glyph(scalars: [], scalar: isASCII ? "?" : shown, width: 1)
      }
      let width = Widths.of(scalar)
      // A mark without a base character, or a variation selector. In ASCII mode all marks come
      // here.
      if width == 0 { continue }
      return isASCII ? Glyph(scalars: [], scalar: "?", width: 1) : gathered(scalar, width: width)
    }
    return nil
  }

  /// Collects the glyph that begins with a scalar of nonzero width.
  private mutating func gathered(_ first: Unicode.Scalar, width: Int) -> Glyph {
    let isPicture = width == 2 && first.properties.isEmoji || first.properties.isEmojiPresentation
    var scalars: [Unicode.Scalar] = []
    while let next = rest.first, next.value >= 0x300 {
      if isPicture, next == Self.joiner {
        rest.removeFirst()
        // The joined emoji is not shown.
        if let joined = rest.first, joined.value > 0x7F { rest.removeFirst() }
        continue
      }
      if isPicture, Self.isSkin(next) {
        rest.removeFirst()
        continue
      }
      guard Widths.of(next) == 0, Self.shownInstead(of: next) == nil else { break }
      rest.removeFirst()
      if Self.isSelector(next) || (next.properties.generalCategory == .format && !Self.joins(next))
      {
        continue
      }
      if scalars.count + 1 < Self.scalarsMost { scalars.append(next) }
    }
    if scalars.isEmpty { return Glyph(scalars: [], scalar: first, width: width) }
    return Glyph(scalars: [first] + scalars, scalar: first, width: width)
  }

  private static let joiner: Unicode.Scalar = "\u{200D}"

  /// Whether the scalar joins letters or keeps them apart.
  private static func joins(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x200C || scalar.value == 0x200D
  }

  private static func isSkin(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F3FB...0x1F3FF).contains(scalar.value)
  }

  private static func isSelector(_ scalar: Unicode.Scalar) -> Bool {
    (0xFE00...0xFE0F).contains(scalar.value) || (0xE0100...0xE01EF).contains(scalar.value)
  }

  /// Returns a visible substitute for a character that would act on the terminal; nil for others.
  private static func shownInstead(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
    let value = scalar.value
    switch value {
    case 0..<0x20: return Unicode.Scalar(0x2400 + value)
    case 0x7F: return "\u{2421}"
    case 0x80..<0xA0: return "\u{FFFD}"
    case 0xA0..<0x600: return nil
    // Directional marks, line ends, the byte order mark, annotations, tags, and noncharacters.
    case 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
      0xFDD0...0xFDEF, 0xE0000...0xE00FF:
      return "\u{FFFD}"
    default: return value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : nil
    }
  }
}
