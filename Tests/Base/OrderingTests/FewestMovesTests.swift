import Ordering
import TestSupport
import Testing

@Suite("The fewest moves, and which of several", .limited)
struct OrderingMovesTests {
  /// Each item with what it goes behind; a dot is the top.
  private func moves(_ old: String, _ new: String, chosen: String = "") -> [String] {
    fewestMoves(from: Array(old), to: Array(new), chosen: chosen.isEmpty ? nil : Set(chosen)).map {
      "\($0.item)\($0.after ?? ".")"
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
    "elsewhere what is on the first of the longest runs stays, and what is in one list only is new",
    arguments: [
      ("ABC", "CBA", "", ["BC", "AB"]), ("ABCDE", "BADCE", "", ["AB", "CD"]),
      ("ABCD", "CBDA", "", ["BC", "AD"]), ("ABC", "CBA", "AB", ["BC", "AB"]),
      ("ABC", "CBA", "BC", ["C.", "BC"]), ("ABC", "CBA", "AC", ["C.", "AB"]),
      ("XABCY", "XCBAY", "", ["BC", "AB"]), ("XABCY", "XCBAY", "BC", ["CX", "BC"]),
      ("AB", "XAYB", "", ["X.", "YA"]), ("ABC", "CA", "", ["AC"]), ("", "XY", "", ["X.", "YX"]),
    ])
  func runs(old: String, new: String, chosen: String, told: [String]) {
    #expect(moves(old, new, chosen: chosen) == told)
  }

  /// How many single moves of the chosen items lead to each order that they lead to, by trying.
  private func distances(from old: [Int], moving chosen: Set<Int>) -> [[Int]: Int] {
    var found = [old: 0]
    var border = [old]
    while !border.isEmpty {
      let last = border
      border = []
      for order in last {
        for item in chosen {
          let rest = order.filter { $0 != item }
          for place in 0...rest.count {
            let next = Array(rest[..<place]) + [item] + Array(rest[place...])
            if found[next] == nil {
              found[next] = (found[order] ?? 0) + 1
              border.append(next)
            }
          }
        }
      }
    }
    return found
  }

  /// The list with the moves made in it.
  private func made(_ moves: [(item: Int, after: Int?)], in list: [Int]) -> [Int] {
    var list = list
    for move in moves {
      list.removeAll { $0 == move.item }
      list.insert(
        move.item, at: move.after.map { (list.firstIndex(of: $0) ?? list.count) + 1 } ?? 0)
    }
    return list
  }

  @Test("no fewer lead to any order of up to five, whatever of it may move", arguments: 1...5)
  func fewest(count: Int) {
    let old = Array(0..<count)
    for bits in 0..<(1 << count) {
      let chosen = Set(old.filter { bits >> $0 & 1 == 1 })
      for (new, fewest) in distances(from: old, moving: chosen) {
        let moves = fewestMoves(from: old, to: new, chosen: chosen)
        let any = chosen.count == count ? fewestMoves(from: old, to: new).count : fewest
        if moves.count != fewest || any != fewest || made(moves, in: old) != new
          || !moves.allSatisfy({ chosen.contains($0.item) })
        {
          Issue.record("\(moves) of \(chosen) to \(new), not \(fewest)")
          return
        }
      }
    }
  }

  @Test("what comes from elsewhere moves once, and what is not wanted is no matter")
  func others() {
    let old = [0, 1, 2]
    let fewest = distances(from: old, moving: Set(old))
    for new in arrangements(Array(0..<5)) {
      let moves = fewestMoves(from: old, to: new)
      let here = new.filter(old.contains)
      let least = fewest.filter { $0.key.filter(here.contains) == here }.values.min()
      #expect(made(moves, in: old.filter(new.contains)) == new)
      #expect(moves.count == new.count - here.count + (least ?? 0))
    }
  }

  @Test("what is pinned stays, with the longest run that fits between")
  func pinned() {
    func staying(_ values: [Int], pins: Set<Int>) -> [Int] {
      zip(values, longestIncreasing(values) { pins.contains(values[$0]) }).filter(\.1).map(\.0)
    }
    #expect(staying([], pins: []) == [] && staying([0], pins: []) == [0])
    #expect(staying([3, 0, 1, 2], pins: [3]) == [3])
    #expect(staying([0, 4, 1, 2, 3], pins: [4]) == [0, 4])
    #expect(staying([2, 0, 3, 1, 4], pins: [0, 1]) == [0, 1, 4])
    #expect(staying([1, 2, 0], pins: []) == [1, 2])
    #expect(staying([1, 2, 0], pins: [0]) == [0])
  }
}
