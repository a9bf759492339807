import Glibc
import LibraryModel

/// Reads text from tags, which may contain anything.
enum TagText {
  /// Returns the text as UTF-8 with invalid bytes replaced, as `cleanText` makes it; empty if the
  /// tag says nothing.
  ///
  /// - Parameter likely: a text that is probably the same, and is then returned.
  static func clean(_ bytes: UnsafeRawBufferPointer, reusing likely: String = "") -> String {
    if !likely.isEmpty, isSame(bytes, likely) { return likely }
    return cleanText(String(decoding: bytes, as: UTF8.self))
  }

  /// Reads a number and a total: "3/12" is 3 of 12. Numbers are from 1 to 9,999.
  static func numberAndTotal(_ bytes: UnsafeRawBufferPointer) -> (number: Int?, total: Int?) {
    let (text, total) = dividedByTotal(bytes)
    return (number(text), total)
  }

  /// Returns the text before a slash, and the number behind it.
  static func dividedByTotal(
    _ bytes: UnsafeRawBufferPointer
  ) -> (text: Slice<UnsafeRawBufferPointer>, total: Int?) {
    guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")) else { return (bytes[...], nil) }
    return (bytes[..<slash], number(bytes[(slash + 1)...]))
  }

  /// Whether the text is a number from 1 on, "true" or "yes": programs write it differently.
  static func isTrue(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if number(bytes[...]) != nil { return true }
    let word = clean(bytes).lowercased()
    return word == "true" || word == "yes"
  }

  /// The greatest number of a disc, a track or a total. A greater one counts as none.
  static let mostNumber = 9_999

  /// Returns the number at the beginning, of at most `mostNumber`; nil if there is none. "3 of 12",
  /// "07." and text with a trailing NUL have one.
  static func number(_ bytes: Slice<UnsafeRawBufferPointer>, least: Int = 1) -> Int? {
    let digits = bytes.drop { $0 == UInt8(ascii: " ") }.prefix(while: isDigit)
    if digits.isEmpty { return nil }
    let number = digits.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), mostNumber + 1) }
    return (least...mostNumber).contains(number) ? number : nil
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isSame(_ bytes: UnsafeRawBufferPointer, _ text: String) -> Bool {
    var text = text
    return text.withUTF8 { utf8 in
      guard utf8.count == bytes.count, let one = utf8.baseAddress, let other = bytes.baseAddress
      else { return false }
      return memcmp(one, other, utf8.count) == 0
    }
  }
}
