import TestSupport
import Testing

@testable import LibraryModel

@Suite("What is away", .limited)
struct AwayTests {
  @Test("many places cover what each of them covers")
  func many() {
    let parts = ["a", "ab", "b", "a b"]
    var paths: [BytePath] = []
    for one in parts {
      for two in parts {
        paths.append(BytePath("/m/\(one)/\(two)"))
        for three in parts { paths.append(BytePath("/m/\(one)/\(two)/\(three)")) }
      }
    }
    for count in [0, 1, 15, 16, 17, 40] {
      // Some are inside others.
      let places = (0..<count).map { paths[$0 * 29 % paths.count] }
      var away = Away()
      away.places = places
      for path in paths {
        #expect(away.covers(path) == places.contains { path.isInside($0) }, "\(count): \(path)")
      }
      #expect(!away.covers(BytePath("/m")))
    }
  }

  @Test("what lies in no music folder is outside, once the folders are known")
  func outside() {
    var away = Away()
    #expect(!away.isOutside(BytePath("/a/1")))
    away.folders = [BytePath("/a"), BytePath("/b")]
    #expect(!away.isOutside(BytePath("/b/1")) && !away.covers(BytePath("/b/1")))
    #expect(away.isOutside(BytePath("/ab/1")) && away.covers(BytePath("/ab/1")))
  }
}
