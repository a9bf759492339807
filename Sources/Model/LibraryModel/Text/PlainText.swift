import Text

/// Returns a tag or a file name as text for the user. Control characters are removed, except that
/// tabs and line ends become spaces. White space and invisible characters are removed at both ends.
/// The number of marks on each character is limited.
package func cleanText(_ text: String) -> String {
  isPlain(text) ? text : withFewMarks(trimmed(withoutControls(text)))
}

/// Returns a file name as text for the user. Bytes that are not UTF-8 become U+FFFD, and an empty
/// result becomes a placeholder.
func shownName(_ bytes: some Collection<UInt8>) -> String {
  let text = cleanText(String(decoding: bytes, as: UTF8.self))
  return text.isEmpty ? "Unknown" : text
}

/// Whether the text needs no cleaning at all. Nearly all texts are such ASCII.
private func isPlain(_ text: String) -> Bool {
  let bytes = text.utf8
  return bytes.first != 0x20 && bytes.last != 0x20
    && bytes.allSatisfy { (0x20..<0x7F).contains($0) }
}

private func withoutControls(_ text: String) -> String {
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

/// Removes white space and default-ignorable code points from both ends, except those that shape
/// the last character.
private func trimmed(_ text: String) -> String {
  let scalars = text.unicodeScalars
  func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
  }
  guard let first = scalars.firstIndex(where: isSeen), let last = scalars.lastIndex(where: isSeen)
  else { return "" }
  // A variation selector makes a heart red, and tags make a black flag England's.
  let isFlag = scalars[last].value == 0x1F3F4
  let end = scalars[scalars.index(after: last)...].firstIndex { scalar in
    !scalar.properties.isVariationSelector
      && !(isFlag && (0xE0020...0xE007F).contains(scalar.value))
  }
  return String(scalars[first..<(end ?? scalars.endIndex)])
}

extension String {
  /// Returns the longest prefix of whole characters that has at most that many bytes.
  package func cut(toBytes most: Int) -> String {
    if utf8.count <= most { return self }
    var end = utf8.index(startIndex, offsetBy: most)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    if end == startIndex { return "" }
    // The last character may continue beyond the cut. An index caches the end of its character in
    // the substring, so a new index is made.
    let last = self[..<end].index(before: end)
    let fresh = utf8.index(startIndex, offsetBy: utf8.distance(from: startIndex, to: last))
    return String(self[..<(index(after: fresh) <= end ? end : last)])
  }
}
