/// What a file's bytes may mean as text, the likeliest first. Which one they do shows where their
/// paths lead: UTF-8 and UTF-16 tell themselves, code pages don't.
package enum ListText {
  /// In UTF-8, but for the first of several, which has the bytes as they are.
  package static func readings(of bytes: [UInt8]) -> [[UInt8]] {
    if let text = decodedUTF16(bytes) { return [text] }
    let bytes = withoutMark(bytes)
    if faultInUTF8(bytes) == nil { return [bytes] }
    // Names of files need not be text, and players write them as they are.
    return [bytes, CodePage.windows1250.decoded(bytes), CodePage.windows1252.decoded(bytes)]
  }

  package static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }
}
