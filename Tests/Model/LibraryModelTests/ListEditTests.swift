import TestSupport
import Testing

@testable import LibraryModel

@Suite("What a person did to one list", .limited)
struct ListEditTests {
  private func permutations(_ items: [Int]) -> [[Int]] {
    if items.isEmpty { return [[]] }
    return items.flatMap { first in
      permutations(items.filter { $0 != first }).map { [first] + $0 }
    }
  }

  @Test("where nothing else happened, any order is reached, and most things stay")
  func exhaustive() {
    for count in 0...5 {
      let base = Array(0..<count)
      for written in permutations(base) {
        let edit = ListEdit(base: base, written: written)
        #expect(edit.goal(from: base) == written)
        #expect(edit.moved.count == count - longest(written), "\(written)")
        #expect(edit.goal(from: written) == written, "\(written), twice")
      }
    }
  }

  /// By trying every subset.
  private func longest(_ values: [Int]) -> Int {
    (0..<(1 << values.count)).lazy.map { chosen in
      let subset = values.indices.filter { chosen >> $0 & 1 == 1 }.map { values[$0] }
      return subset == subset.sorted() ? subset.count : 0
    }.max() ?? 0
  }

  @Test("what was left out is behind its former neighbour, or on top")
  func leftOut() {
    func result(_ written: String, of base: String) -> String {
      let leftOut = Set(base).subtracting(written)
      let edit = ListEdit(base: Array(base), written: Array(written), leftOut: leftOut)
      return String(edit.goal(from: Array(base)))
    }
    #expect(result("", of: "abc") == "abc")
    #expect(result("b", of: "abc") == "abc")
    #expect(result("cab", of: "axbc") == "caxb")
    #expect(result("acb", of: "axbc") == "axcb")
    #expect(result("dba", of: "xabcyd") == "dxbcya")
    #expect(result("ba", of: "xab") == "xba")
  }

  @Test("what was moved goes behind its nearest predecessor that is there and stays, or on top")
  func elsewhere() {
    func result(_ written: String, of base: String, now: String) -> String {
      let edit = ListEdit(base: Array(base), written: Array(written))
      return String(edit.goal(from: Array(now)))
    }
    // New ones came on top.
    #expect(result("adbc", of: "abcd", now: "NMabcd") == "NMadbc")
    #expect(result("dabc", of: "abcd", now: "NMabcd") == "dNMabc")
    // One came in between.
    #expect(result("adbc", of: "abcd", now: "aNbcd") == "adNbc")
    // The others are in another order meanwhile.
    #expect(result("adbc", of: "abcd", now: "cbad") == "cbad")
    #expect(result("dabc", of: "abcd", now: "cbad") == "dcba")
    // What stood at the top is at the bottom by now.
    #expect(result("cabd", of: "abcd", now: "bcda") == "cbda")
    // The predecessor left, and the one above that.
    #expect(result("abdc", of: "abcd", now: "acd") == "adc")
    #expect(result("abdc", of: "abcd", now: "cd") == "dc")
    // From another list.
    #expect(result("aXbY", of: "ab", now: "ba") == "bYaX")
    #expect(result("XY", of: "ab", now: "ab") == "XYab")
  }

  @Test("against any other changes: nothing is lost, and what was not moved keeps its order")
  func random() {
    var generator = SeededGenerator(usually: 20_261_123)
    for _ in 0..<20_000 {
      let base = Array(0..<Int.random(in: 0...8, using: &generator))
      let now = (base + [100, 101]).shuffled(using: &generator)
      var written = base
      for _ in 0..<Int.random(in: 0...2, using: &generator) where !written.isEmpty {
        let item = written.remove(at: Int.random(in: 0..<written.count, using: &generator))
        written.insert(item, at: Int.random(in: 0...written.count, using: &generator))
      }
      let edit = ListEdit(base: base, written: written)
      let goal = edit.goal(from: now)
      #expect(goal.count == now.count, "\(generator)")
      #expect(Set(goal) == Set(now), "\(generator)")
      let stays = { (item: Int) in !edit.moved.contains(item) }
      #expect(goal.filter(stays) == now.filter(stays), "\(generator)")
      #expect(edit.goal(from: goal) == goal, "\(generator)")
      if written == base { #expect(goal == now, "\(generator)") }
    }
  }
}
