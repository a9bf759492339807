import TestSupport
import Testing
import Text

@Suite("Names that were misspelt", .limited)
struct NearestNameTests {
  @Test("A third of the letters may be wrong, and three at most; neighbours that changed count one")
  func faults() {
    let typed = TypedName("abcdef")
    let names: [(String, Int?)] = [
      ("abcdef", 0), ("ABCDEF", 0), ("abcdex", 1), ("abdcef", 1), ("bacdef", 1), ("abcdefgh", 2),
      ("abcd", 2), ("xbcdex", 2), ("badcef", 2), ("xycdez", nil), ("abcdefghi", nil), ("abc", nil),
      ("", nil),
    ]
    for (name, faults) in names { #expect(typed.faults(in: name) == faults, "\(name)") }
    #expect(TypedName("ab").faults(in: "ab") == 0)
    #expect(TypedName("ab").faults(in: "ac") == nil)
    let long = TypedName("abcdefghijklmnopqr")
    #expect(long.faults(in: "xyzdefghijklmnopqr") == 3)
    #expect(long.faults(in: "wxyzefghijklmnopqr") == nil)
  }

  @Test("The nearest is meant, the first of those that are alike near, and none that is far")
  func nearest() {
    #expect(nearestName(to: "abcdef", of: ["abcdxx", "abcdex", "abcdey"]) == "abcdex")
    #expect(nearestName(to: "abcdef", of: ["abcdefghi", "xyz", ""]) == nil)
    #expect(nearestName(to: "abcdef", of: []) == nil)
  }

  @Test("A glance leaves out no name that is near")
  func glance() {
    let names = ["abcdef", "abcdex", "abdcef", "abcdefgh", "abcd", "xbcdex", "abcdefghi", "uvwxyz"]
    for typed in names {
      for name in names where TypedName(typed).faults(in: name) != nil {
        #expect(TypedName(typed).mayBe(NameMarks(name)), "\(typed) \(name)")
      }
    }
    #expect(!TypedName("abcdef").mayBe(NameMarks("abcdefghi")))
    #expect(!TypedName("abcdef").mayBe(NameMarks("uvwxyz")))
    #expect(!TypedName("ab").mayBe(NameMarks("ab")))
  }
}
