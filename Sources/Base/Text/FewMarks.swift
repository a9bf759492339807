/// The maximum number of code points after the first one of a character: as many marks as Unicode's
/// Stream-Safe Text Format allows (https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format).
package let marksMost = 30

/// Returns the text with at most `marksMost` marks on each of its characters.
///
/// A tag can have a single character of 64 KiB. Code that counts characters, or sorts marks, would
/// take time in the square of that.
package func withFewMarks(_ text: String) -> String {
  guard mayHaveManyMarks(text) else { return text }
  var result = String.UnicodeScalarView()
  for character in text {
    result.append(contentsOf: character.unicodeScalars.prefix(1 + marksMost))
  }
  return String(result)
}

/// Whether so many code points that may be marks follow each other. Almost no text has that.
private func mayHaveManyMarks(_ text: String) -> Bool {
  if text.utf8.count <= marksMost { return false }
  var run = 0
  for scalar in text.unicodeScalars {
    // U+0300 is the first combining mark, U+200D the joiner. Before it there is only U+00AD.
    run = scalar.value < 0x300 ? 0 : run + 1
    if run > marksMost { return true }
  }
  return false
}
