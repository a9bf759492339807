/// Which order a text is an edited form of. It stands in the text, so that a text says by itself
/// what it is to be merged with.
struct TextOrigin: Equatable {
  var sequence: Int
  /// The one crate that was read.
  var crate: String?

  private static let mark = "# sequence "
  private static let crateMark = " crate "

  var line: String { Self.mark + "\(sequence)" + (crate.map { Self.crateMark + $0 } ?? "") }

  init(sequence: Int, crate: String?) {
    self.sequence = sequence
    self.crate = crate
  }

  /// Nil where no line says so.
  init?(in text: String) {
    for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix(Self.mark) {
      let rest = line.dropFirst(Self.mark.count)
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard let number = Int(digits) else { continue }
      let name = rest.dropFirst(digits.count)
      sequence = number
      crate = name.hasPrefix(Self.crateMark) ? String(name.dropFirst(Self.crateMark.count)) : nil
      return
    }
    return nil
  }
}
