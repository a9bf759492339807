import LibraryModel
import TestSupport
import Testing

@testable import LibraryIndex

@Suite("Words and folded names", .limited) struct SearchFoldingTests {
  @Test("Names that are the same have the same words, but for a small iota, which is an accent")
  func agreement() {
    for value in UInt32(0x20)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value),
        value < 0x3100 || Effort.isNightly || value % 16 == 5
      else { continue }
      if let age = scalar.properties.age, age > (15, 0) { continue }
      let name = "a\(scalar)b"
      let found = SearchWords(name)
      let isIota = folded(name).unicodeScalars.contains("\u{3B9}")
      if isIota, !found.words.joined().unicodeScalars.contains("\u{3B9}") { continue }
      // A million expectations would take longer than what they look at.
      if found != SearchWords(folded(name)) { Issue.record("\(scalar.debugDescription)") }
    }
  }
}
