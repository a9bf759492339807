import TestSupport
import Testing

@testable import LibraryModel

@Suite("Moves that are taken back", .limited)
struct TakenBackTests {
  private static func permutations(_ items: [Int]) -> [[Int]] {
    if items.isEmpty { return [[]] }
    return items.flatMap { first in
      permutations(items.filter { $0 != first }).map { [first] + $0 }
    }
  }

  /// The moves from one order to another, as a change tells them.
  private static func moves(from old: [Int], to new: [Int]) -> [ListMove<Int>] {
    var order = old
    return fewestMoves(from: old, to: new).map { move in
      let place = order.firstIndex(of: move.item) ?? 0
      let wasAfter = place == 0 ? nil : order[place - 1]
      order.remove(at: place)
      let above = move.after.flatMap { order.firstIndex(of: $0) }
      order.insert(move.item, at: above.map { $0 + 1 } ?? 0)
      return ListMove(item: move.item, after: move.after, wasAfter: wasAfter)
    }
  }

  @Test("bring back the order exactly, where nothing reordered the list since")
  func exact() {
    let sorted = Array(0..<5)
    for old in Self.permutations(sorted) {
      #expect(takenBack(Self.moves(from: old, to: sorted), in: sorted) == old)
    }
  }

  @Test("put each item behind its former predecessor, however the list was reordered since")
  func reordered() {
    let sorted = Array(0..<5)
    let all = Self.permutations(sorted)
    for old in all {
      let moves = Self.moves(from: old, to: sorted)
      let moved = Set(moves.map(\.item))
      for now in all {
        let back = takenBack(moves, in: now)
        #expect(back.filter { !moved.contains($0) } == now.filter { !moved.contains($0) })
        for item in moved {
          let former = old.firstIndex(of: item).map { $0 == 0 ? nil : old[$0 - 1] }
          let place = back.firstIndex(of: item).map { $0 == 0 ? nil : back[$0 - 1] }
          #expect(former == place, "\(old) sorted, then \(now): \(back)")
        }
      }
    }
  }

  @Test("go to the top where the former predecessor is not there any more")
  func gone() {
    let moves = Self.moves(from: [1, 2, 3], to: [3, 1, 2])
    #expect(takenBack(moves, in: [3, 1]) == [3, 1])
    #expect(takenBack(moves, in: [1, 2]) == [1, 2])
    #expect(takenBack([ListMove(item: 1, after: 1, wasAfter: 1)], in: [2, 1]) == [1, 2])
    #expect(takenBack([], in: [2, 1]) == [2, 1])
  }
}
