/// A colour of a terminal: its default, one of its palette, or red, green and blue. Packed, since
/// each cell has two.
package struct Color: Hashable, Sendable {
  /// 0: the terminal's default. Otherwise the kind in the bits above the value.
  let bits: UInt32

  private static let paletteKind: UInt32 = 1 << 24
  private static let mixedKind: UInt32 = 2 << 24

  package static let usual = Color(bits: 0)

  private init(bits: UInt32) { self.bits = bits }

  /// One of 256 colours. The first 16 are configured by the user.
  package static func palette(_ number: UInt8) -> Color {
    Color(bits: paletteKind | UInt32(number))
  }

  package static func mixed(red: UInt8, green: UInt8, blue: UInt8) -> Color {
    Color(bits: mixedKind | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
  }

  /// Unpacks the 26 bits of a style.
  init(packed: UInt64) { bits = UInt32(packed & 0x3FF_FFFF) }

  enum Kind: Equatable {
    case usual
    case palette(UInt8)
    case mixed(red: UInt8, green: UInt8, blue: UInt8)
  }

  var kind: Kind {
    switch bits & (3 << 24) {
    case Self.paletteKind: .palette(UInt8(truncatingIfNeeded: bits))
    case Self.mixedKind:
      .mixed(
        red: UInt8(truncatingIfNeeded: bits >> 16), green: UInt8(truncatingIfNeeded: bits >> 8),
        blue: UInt8(truncatingIfNeeded: bits))
    default: .usual
    }
  }
}

/// The style of a cell.
package struct Style: Hashable, Sendable {
  /// Attributes, background and foreground: 12, 26 and 26 bits.
  private(set) var bits: UInt64

  package static let plain = Style()

  package init(
    _ attributes: Attributes = [], ink: Color = .usual, paper: Color = .usual
  ) {
    bits = UInt64(attributes.rawValue) << 52 | UInt64(paper.bits) << 26 | UInt64(ink.bits)
  }

  package struct Attributes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue & 0xFFF }
    package static let bold = Attributes(rawValue: 1)
    package static let dim = Attributes(rawValue: 2)
    package static let italic = Attributes(rawValue: 4)
    package static let underlined = Attributes(rawValue: 8)
    package static let reversed = Attributes(rawValue: 16)
  }

  package var attributes: Attributes { Attributes(rawValue: UInt16(bits >> 52)) }
  package var ink: Color { Color(packed: bits) }
  package var paper: Color { Color(packed: bits >> 26) }

  package func adding(_ more: Attributes) -> Style {
    Style(attributes.union(more), ink: ink, paper: paper)
  }
}

/// The number of colours that a terminal supports.
package enum ColorDepth: Sendable, CaseIterable {
  case none, sixteen, palette, mixed
}
