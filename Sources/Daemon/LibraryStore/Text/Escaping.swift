import Text

/// Reads free text of a line, which `StoreText` escapes, so that any name survives byte for byte
/// and a line is always a line.
enum Escaping {
  /// Nil where a `%` is not followed by two hexadecimal digits.
  static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    // Of 100,000 paths, nearly none has one.
    text.place(of: UInt8(ascii: "%")) == nil ? Array(text) : percentDecoded(text)
  }
}
