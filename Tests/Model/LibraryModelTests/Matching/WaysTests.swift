import TestSupport
import Testing

@testable import LibraryModel

@Suite("Ways from their folders to ours", .limited)
struct WaysTests {
  private func way(_ theirs: String, _ ours: String = "m") -> Way {
    Way(theirs: Array(theirs.utf8), ours: Array(ours.utf8))
  }

  private func endings(_ parts: (count: Int, way: Way, parts: Int, isSilent: Bool)...) -> [Int:
    Ending]
  {
    var endings: [Int: Ending] = [:]
    for part in parts {
      for _ in 0..<part.count {
        endings[endings.count] = Ending(
          file: 0, parts: part.parts, way: part.way, isSilent: part.isSilent)
      }
    }
    return endings
  }

  private func ways(
    _ endings: [Int: Ending], paths: [Way] = [], of total: Int, inside: Int = 1_000
  ) -> Ways {
    Ways(endings, paths: paths, of: total) { _ in inside }
  }

  @Test("the ways with most songs are tried, eight of them, equal ones by their names")
  func best() {
    let few = endings(
      (1, way("c"), 2, true), (2, way("b"), 2, true), (1, way("a", "n"), 2, true),
      (1, way("a", "m"), 2, true))
    #expect(
      ways(few, of: 5).best == [way("b"), way("a", "m"), way("a", "n"), way("c")])
    var many: [Int: Ending] = [:]
    for number in 0..<9 {
      many[number] = Ending(file: 0, parts: 2, way: way("\(9 - number)"), isSilent: true)
    }
    #expect(ways(many, of: 9).best == (1...8).map { way("\($0)") })
  }

  @Test("a way is usual by which half of the list was found")
  func usual() {
    let half = endings((2, way("a"), 2, true))
    #expect(ways(half, of: 4).usual == [way("a")])
    #expect(ways(half, of: 5).usual == [])
    #expect(ways([:], paths: [.same, .same], of: 4).usual == [.same])
    #expect(ways([:], paths: [.same, .same, .relative], of: 5).usual == [])
    #expect(ways([:], paths: [.same, .relative], of: 2).usual == [.same, .relative])
  }

  @Test("or half of what lies in a folder that a tenth of the list is from, if an end tells so")
  func usualInside() {
    let two = endings((2, way("a"), 3, true))
    #expect(ways(two, of: 20, inside: 4).usual == [way("a")])
    #expect(ways(two, of: 20, inside: 5).usual == [])
    #expect(ways(two, of: 21, inside: 4).usual == [])
    let short = endings((2, way("a"), 2, true))
    #expect(ways(short, of: 20, inside: 4).usual == [])
    let spoken = endings((2, way("a"), 2, false))
    #expect(ways(spoken, of: 20, inside: 4).usual == [way("a")])
  }

  @Test("a way is common where half of the list was found by more, or silently by it")
  func common() {
    let mixed = endings((1, way("a"), 2, true), (1, way("b"), 2, false))
    let ways = ways(mixed, paths: [.same], of: 6)
    #expect(ways.isCommon(way("a")))
    #expect(!ways.isCommon(way("b")))
    #expect(!ways.isCommon(way("c")))
    #expect(!self.ways(mixed, paths: [.same], of: 7).isCommon(way("a")))
    #expect(self.ways(mixed, paths: [.same], of: 4).isCommon(way("c")))
  }

  @Test("ends that tell speak for each other, and for those of their way")
  func speaking() {
    let some = endings(
      (1, way("a"), 2, true), (2, way("b"), 3, true), (1, way("c"), 3, true),
      (1, way("d"), 2, true))
    // One of a, and the three that tell.
    #expect(ways(some, of: 8).speak(for: way("a")))
    #expect(!ways(some, of: 9).speak(for: way("a")))
    // The three that tell, two of which are its own.
    #expect(ways(some, of: 6).speak(for: way("b")))
    #expect(!ways(some, of: 7).speak(for: way("b")))
    #expect(ways(some, of: 8).speak(for: way("d")))
    #expect(!ways(some, of: 6).speak(for: way("e")))
    #expect(ways(some, paths: [.same, .same, .same], of: 6).speak(for: way("e")))
  }

  @Test("where a path would be, if it were where others from its folders are")
  func places() {
    let some = endings(
      (1, way("a", "m"), 3, true), (1, way("a", "n"), 2, false), (1, way("a/b", "o"), 3, true),
      (1, way("a", "p"), 2, true), (1, way("", "q"), 3, true), (1, way("a", "m"), 3, true))
    func places(_ path: String, but way: Way) -> [String] {
      ways(some, of: 6).places(of: Array(path.utf8), but: way).map(\.display)
    }
    #expect(places("a/b/c", but: way("x")) == ["/q/a/b/c", "/m/b/c", "/n/b/c", "/o/c"])
    #expect(places("a/b/c", but: way("a", "n")) == ["/q/a/b/c", "/m/b/c", "/o/c"])
    #expect(places("ab/c", but: way("x")) == ["/q/ab/c"])
    #expect(places("a", but: way("", "q")) == [])
    var many: [Int: Ending] = [:]
    for number in 1...9 {
      many[number] = Ending(file: 0, parts: 3, way: way("a", "\(number)"), isSilent: true)
    }
    #expect(
      ways(many, of: 9).places(of: Array("a/b".utf8), but: way("x")).map(\.display)
        == (1...8).map { "/\($0)/b" })
  }
}
