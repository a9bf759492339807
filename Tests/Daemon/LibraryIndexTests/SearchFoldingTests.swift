import LibraryModel
import TestSupport
import Testing

@testable import LibraryIndex

@Suite("Words and folded names", .limited) struct SearchFoldingTests {
  @Test("Names that are the same have the same words, but for a small iota, which is an accent")
  func agreement() {
    for scalar in Unicode.Scalar.tested where scalar.value >= 0x20 {
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
