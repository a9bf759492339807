import Text

/// Decodes free text of a line. `StoreText` escapes it, so that any name survives byte for byte and
/// never breaks a line.
enum Escaping {
  /// Returns nil if a `%` is not followed by two hexadecimal digits.
  static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    // Of 100,000 paths, hardly any has one.
    text.place(of: UInt8(ascii: "%")) == nil ? Array(text) : percentDecoded(text)
  }
}
