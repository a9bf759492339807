import Text

/// The display text after an id: `Artist - Title (1978)` for an album, `2-01 Artist - Title` for a
/// song. Everything but the title may be missing. Long text is cut.
package enum ShownText {
  /// The most bytes of a text that is not cut. A cut text has more, which is how it is recognised.
  private static let most = 200
  private static let mark = "…"

  package static func album(artist: String, title: String, year: Int? = nil) -> String {
    let year = year.map { " (\($0))" } ?? ""
    return (artist.isEmpty ? "" : "\(artist) - ") + title + (title.hasSuffix(year) ? "" : year)
  }

  package static func song(disc: Int?, track: Int?, artist: String, title: String) -> String {
    let disc = disc.map { "\($0)-" } ?? ""
    let number = track.map { "\(disc)\($0 < 10 ? "0" : "")\($0) " } ?? ""
    return number + (artist.isEmpty ? "" : "\(artist) - ") + title
  }

  /// Parses the display text of an album, without the year. An artist with ` - ` in the name can't
  /// be distinguished from a title.
  package static func album(_ text: String) -> (artist: String, title: String) {
    let year = text.suffix(7)
    let isYear =
      year.hasPrefix(" (") && year.hasSuffix(")") && number(year.dropFirst(2).dropLast()) != nil
    return artistAndTitle(isYear ? text.dropLast(7) : text[...])
  }

  /// Parses the display text of a song. A title that contains ` - ` can't be distinguished from an
  /// artist and a title.
  package static func song(
    _ text: String
  ) -> (disc: Int?, track: Int?, artist: String, title: String) {
    let word = text.prefix { $0 != " " }
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap(number)
    let isNumber =
      parts.count <= 2 && numbers.count == parts.count && parts.last?.utf8.count ?? 0 > 1
    let shown = artistAndTitle(isNumber ? text.dropFirst(word.count + 1) : text[...])
    return (
      isNumber && numbers.count == 2 ? numbers[0] : nil, isNumber ? numbers.last : nil,
      shown.artist, shown.title
    )
  }

  /// Returns the text of a line, or an empty string if it was cut or is not valid UTF-8.
  package static func read(_ rest: ArraySlice<UInt8>) -> String {
    let bytes = percentDecoded(rest) ?? Array(rest)
    guard let text = String(validating: bytes, as: UTF8.self) else { return "" }
    return text.utf8.count > most && text.hasSuffix(mark) ? "" : text
  }

  static func cut(_ text: String) -> String {
    if text.utf8.count <= most { return text }
    var cut = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars where count + mark.utf8.count <= most {
      cut.append(scalar)
      count += UTF8.width(scalar)
    }
    return String(cut) + mark
  }

  private static func artistAndTitle(_ text: Substring) -> (artist: String, title: String) {
    guard let dash = text.firstRange(of: " - ") else { return ("", String(text)) }
    return (String(text[..<dash.lowerBound]), String(text[dash.upperBound...]))
  }

  /// Returns the number that the digits represent, or nil for any other text.
  private static func number(_ text: Substring) -> Int? {
    let isNumber =
      (1...9).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    return isNumber ? Int(text) : nil
  }
}
