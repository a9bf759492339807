import Text

/// Text for people, out of tags or names of files: without control characters, where tabs and line
/// ends become spaces, so that words stay apart; without white space and what can't be seen at
/// either end; and with few marks on each character.
package func cleanText(_ text: String) -> String {
  isPlain(text) ? text : withFewMarks(trimmed(withoutControls(text)))
}

/// What a name of bytes is shown as: what isn't UTF-8 as U+FFFD, and what says nothing as a word.
func shownName(_ bytes: some Collection<UInt8>) -> String {
  let text = cleanText(String(decoding: bytes, as: UTF8.self))
  return text.isEmpty ? "Unknown" : text
}

/// Nearly all texts are ASCII, with nothing to be done.
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

/// Removes white space and default-ignorable code points from both ends, except for those that
/// shape the last character.
private func trimmed(_ text: String) -> String {
  let scalars = text.unicodeScalars
  func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
  }
  guard let first = scalars.firstIndex(where: isSeen), let last = scalars.lastIndex(where: isSeen)
  else { return "" }
  // A heart is red by a variation selector, a black flag is England's by tags.
  let isFlag = scalars[last].value == 0x1F3F4
  let end = scalars[scalars.index(after: last)...].firstIndex { scalar in
    !scalar.properties.isVariationSelector
      && !(isFlag && (0xE0020...0xE007F).contains(scalar.value))
  }
  return String(scalars[first..<(end ?? scalars.endIndex)])
}

extension String {
  /// The longest beginning of whole characters that has at most so many bytes.
  package func cut(toBytes most: Int) -> String {
    if utf8.count <= most { return self }
    var end = utf8.index(startIndex, offsetBy: most)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    if end == startIndex { return "" }
    // The last character of what is left may go on behind it. An index remembers where its
    // character ended in the substring: another one is made.
    let last = self[..<end].index(before: end)
    let fresh = utf8.index(startIndex, offsetBy: utf8.distance(from: startIndex, to: last))
    return String(self[..<(index(after: fresh) <= end ? end : last)])
  }
}
