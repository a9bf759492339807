import TestSupport
import Testing

@testable import LibraryModel

@Suite("What comes first", .limited)
struct ComparingTests {
  @Test("the smaller one does, and of two that are alike neither")
  func two() {
    #expect(precedence(1, 2) == true)
    #expect(precedence(2, 1) == false)
    #expect(precedence(2, 2) == nil)
  }

  @Test("things are sorted by their keys, and those of one key stand as they stood")
  func many() {
    let words = ["bb", "a", "cc", "c", "", "aa", "b"]
    #expect(words.ascending(by: \.count) == ["", "a", "c", "b", "bb", "cc", "aa"])
    let none: [String] = []
    #expect(none.ascending(by: \.count) == [])
  }
}
