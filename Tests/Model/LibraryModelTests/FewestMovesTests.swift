import TestSupport
import Testing

@testable import LibraryModel

@Suite("The fewest moves, and which of several", .limited)
struct FewestMovesTests {
  /// Each item with what it goes behind; a dot is the top.
  private func moves(_ old: String, _ new: String, chosen: String = "") -> [String] {
    fewestMoves(from: Array(old), to: Array(new), chosen: Set(chosen)).map { move in
      "\(move.item)\(move.after ?? ".")"
    }
  }

  @Test(
    "of two neighbouring stretches the shorter moves, of equal ones the upper, if it may",
    arguments: [
      ("AB", "AB", "", []), ("AB", "BA", "", ["AB"]), ("AB", "BA", "A", ["AB"]),
      ("AB", "BA", "B", ["B."]), ("ABC", "CAB", "", ["C."]), ("ABC", "BCA", "", ["AC"]),
      ("ABC", "BCA", "BC", ["B.", "CB"]), ("ABC", "CAB", "AB", ["AC", "BA"]),
      ("XABY", "XBAY", "", ["AB"]), ("XABY", "XBAY", "B", ["BX"]),
      ("XABCDY", "XCDABY", "", ["AD", "BA"]), ("XABCDEY", "XDEABCY", "", ["DX", "ED"]),
    ])
  func stretches(old: String, new: String, chosen: String, told: [String]) {
    #expect(moves(old, new, chosen: chosen) == told)
  }

  @Test(
    "elsewhere what is on the first of the longest runs stays",
    arguments: [
      ("ABC", "CBA", "", ["BC", "AB"]), ("ABCDE", "BADCE", "", ["AB", "CD"]),
      ("ABCD", "CBDA", "", ["BC", "AD"]), ("ABC", "CBA", "AB", ["BC", "AB"]),
      ("ABC", "CBA", "BC", ["C.", "BC"]), ("ABC", "CBA", "AC", ["C.", "AB"]),
      ("XABCY", "XCBAY", "", ["BC", "AB"]), ("XABCY", "XCBAY", "BC", ["CX", "BC"]),
    ])
  func runs(old: String, new: String, chosen: String, told: [String]) {
    #expect(moves(old, new, chosen: chosen) == told)
  }

  @Test("of equally long runs the one that ends first, each member behind the nearest")
  func ties() {
    func staying(_ values: Int...) -> [Int] {
      zip(values, longestIncreasing(values)).filter(\.1).map(\.0)
    }
    #expect(staying() == [] && staying(0) == [0])
    #expect(staying(1, 0) == [1])
    #expect(staying(1, 0, 2) == [1, 2])
    #expect(staying(2, 1, 0, 3) == [2, 3])
    #expect(staying(2, 3, 0, 1) == [2, 3])
    #expect(staying(0, 3, 1, 2) == [0, 1, 2])
    #expect(staying(4, 2, 3, 0, 1) == [2, 3])
    #expect(staying(3, 0, 1, 4, 2) == [0, 1, 4])
  }

  @Test("what is pinned stays, with the longest run that fits between")
  func pinned() {
    func staying(_ values: [Int], pins: Set<Int>) -> [Int] {
      zip(values, longestIncreasing(values) { pins.contains(values[$0]) }).filter(\.1).map(\.0)
    }
    #expect(staying([3, 0, 1, 2], pins: [3]) == [3])
    #expect(staying([0, 4, 1, 2, 3], pins: [4]) == [0, 4])
    #expect(staying([2, 0, 3, 1, 4], pins: [0, 1]) == [0, 1, 4])
    #expect(staying([1, 2, 0], pins: []) == [1, 2])
    #expect(staying([1, 2, 0], pins: [0]) == [0])
  }
}
