/// Text for people, out of tags or names of files, without control characters; tabs and line ends
/// become spaces, so that words stay apart.
package func withoutControls(_ text: String) -> String {
  func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
  }
  guard text.unicodeScalars.contains(where: isControl) else { return text }
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    if ["\t", "\n", "\r"].contains(scalar) {
      result.append(" ")
    } else if !isControl(scalar) {
      result.append(scalar)
    }
  }
  return String(result)
}

/// What a name of bytes is shown as: what isn't UTF-8 as U+FFFD, and what says nothing as a word.
func shownName(_ bytes: some Collection<UInt8>) -> String {
  let text = withoutControls(String(decoding: bytes, as: UTF8.self))
  return text.isEmpty ? "Unknown" : text
}
