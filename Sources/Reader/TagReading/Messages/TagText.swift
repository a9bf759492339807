import Glibc
import LibraryModel

/// Reads text from tags, where anything may stand.
enum TagText {
  /// UTF-8 with what is invalid replaced, as `cleanText` makes it; empty where a tag says nothing.
  /// `reusing`: a text that is likely the same.
  static func clean(_ bytes: UnsafeRawBufferPointer, reusing likely: String = "") -> String {
    if !likely.isEmpty, isSame(bytes, likely) { return likely }
    return cleanText(String(decoding: bytes, as: UTF8.self))
  }

  /// "3/12" is 3 of 12. A number is one from 1 to 9,999 and nothing else: neither "A1" nor "0".
  static func numberAndTotal(_ bytes: UnsafeRawBufferPointer) -> (number: Int?, total: Int?) {
    let slash = bytes.firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
    let number = number(bytes[..<slash])
    guard slash < bytes.endIndex else { return (number, nil) }
    let rest = bytes[(slash + 1)...]
    return (number, self.number(rest))
  }

  /// "1" and "true", as the programs that write it do.
  static func isTrue(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if number(bytes[...]) != nil { return true }
    let word = clean(bytes).lowercased()
    return word == "true" || word == "yes"
  }

  private static func number(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
    var value = 0
    for byte in bytes.drop(while: { $0 == UInt8(ascii: " ") }) {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
        // "3 of 12", "07." and a NUL at the end still say a number.
        break
      }
      value = min(value * 10 + Int(byte - UInt8(ascii: "0")), 10_000)
    }
    return (1...9_999).contains(value) ? value : nil
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
