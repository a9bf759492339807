import Text

/// How free text becomes part of a line, so that any name survives byte for byte and a line is
/// always a line. A word of a line has no blanks, either.
enum Escaping {
  static func append(_ bytes: some Collection<UInt8>, asWord: Bool = false, to line: inout [UInt8])
  {
    appendPercentEscaped(bytes, leaving: asWord ? .word : .text, to: &line)
  }

  /// Nil where a `%` is not followed by two hexadecimal digits.
  static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    // Of 100,000 paths, nearly none has one.
    text.place(of: UInt8(ascii: "%")) == nil ? Array(text) : percentDecoded(text)
  }
}
