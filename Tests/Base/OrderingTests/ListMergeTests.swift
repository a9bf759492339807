import Ordering
import TestSupport
import Testing

/// What somebody did to a list, over what became of it meanwhile.
@Suite("Merging lists", .limited)
struct OrderingMergeTests {
  /// Small letters are hidden.
  private func merged(
    _ base: String, _ wanted: String, _ now: String, chosen: String? = nil
  ) -> (goal: String, moved: String, carried: String) {
    let merged = merge(
      base: Array(base), wanted: Array(wanted), now: Array(now), chosen: chosen.map { Set($0) },
      isHidden: \.isLowercase)
    return (String(merged.goal), String(merged.moved), String(merged.carried.sorted()))
  }

  @Test(
    "what was left out is behind its former neighbour, or where it is",
    arguments: [
      ("ABC", "", "ABC"), ("ABC", "B", "ABC"), ("AXBC", "CAB", "CAXB"), ("AXBC", "ACB", "AXCB"),
      ("XABCYD", "DBA", "DXBCYA"), ("XAB", "BA", "XBA"),
    ])
  func leftOut(base: String, wanted: String, goal: String) {
    #expect(merged(base, wanted, base).goal == goal)
  }

  @Test(
    "what was moved goes behind the nearest one above it that is there and stays, or on top",
    arguments: [
      // New ones came on top, and one in between.
      ("ABCD", "ADBC", "NMABCD", "NMADBC"), ("ABCD", "DABC", "NMABCD", "DNMABC"),
      ("ABCD", "ADBC", "ANBCD", "ADNBC"),
      // The others are in another order meanwhile.
      ("ABCD", "ADBC", "CBAD", "CBAD"), ("ABCD", "DABC", "CBAD", "DCBA"),
      // What stood at the top is at the bottom by now.
      ("ABCD", "CABD", "BCDA", "CBDA"),
      // The one above left, and the one above that.
      ("ABCD", "ABDC", "ACD", "ADC"), ("ABCD", "ABDC", "CD", "DC"),
      // From another list, also what was in this one and went there meanwhile.
      ("AB", "AXBY", "BA", "BYAX"), ("AB", "XY", "AB", "XYAB"), ("ABC", "BCA", "BC", "BCA"),
      // What left and was not moved is not brought back.
      ("ABCD", "DABC", "BCD", "DBC"), ("AXB", "BA", "AB", "BA"),
    ])
  func elsewhere(base: String, wanted: String, now: String, goal: String) {
    #expect(merged(base, wanted, now).goal == goal)
  }

  @Test("what is hidden goes with the moved thing that it stands below, and is moved, too")
  func hidden() {
    #expect(merged("ABC", "BCA", "AxyBzC") == ("BzCAxy", "A", "Axy"))
    #expect(merged("ABC", "CAB", "AxBCz") == ("CzAxB", "C", "Cz"))
    #expect(merged("AB", "BA", "xANyB") == ("xNyBA", "A", "A"))
  }

  @Test(
    "of a part of a list what stands as it is wanted stays, and its first one in any case",
    arguments: [
      ("ABCD", "AC", "ABCD", ""), ("ABCD", "CA", "BCAD", "A"), ("ABCD", "DA", "BCDA", "A"),
      ("ABCD", "BA", "BACD", "A"), ("ABCD", "DABC", "DABC", "ABC"), ("ABCD", "", "ABCD", ""),
      ("ABCD", "X", "XABCD", "X"), ("ABCD", "BX", "ABXCD", "X"), ("ABCD", "XB", "XABCD", "X"),
      ("ABCDE", "AEC", "ABDEC", "C"), ("AbCD", "DA", "CDAb", "Ab"), ("AbCD", "CD", "AbCD", ""),
      ("AbcD", "DA", "DAbc", "Abc"), ("AbCd", "CA", "CAbd", "Ab"), ("", "XY", "XY", "XY"),
      ("ABcD", "DA", "BcDA", "A"), ("ABC", "CBA", "CBA", "AB"),
    ])
  func part(now: String, wanted: String, goal: String, carried: String) {
    let read = now.filter(wanted.contains)
    let merged = merged(read, wanted, now, chosen: String(wanted.dropFirst()))
    #expect(merged.goal == goal)
    #expect(merged.carried == carried)
  }

  // MARK: All there are

  @Test("all lists of up to four, whatever of them is hidden", arguments: 0...4)
  func small(base: Int) {
    check(Array(0..<base), of: 4, hiding: true, oneIn: 1)
  }

  @Test("all lists of up to five", arguments: 0...5)
  func large(base: Int) {
    check(Array(0..<base), of: 5, hiding: false, oneIn: Effort.runs(8, nightly: 1))
  }

  /// Whatever else is wanted of the list, and has become of it. What it is called makes no
  /// difference: the numbers above those of the list came meanwhile, or come from elsewhere.
  private func check(_ base: [Int], of count: Int, hiding: Bool, oneIn share: Int) {
    let lists = arrangements(Array(0..<count))
    for (number, wanted) in lists.enumerated() {
      for place in stride(from: number % share, to: lists.count, by: share) {
        let now = lists[place]
        let others = now.filter { !wanted.contains($0) && !base.contains($0) }
        for bits in 0..<(hiding ? 1 << others.count : 1) {
          let hidden = Set(others.indices.filter { bits >> $0 & 1 == 1 }.map { others[$0] })
          let found = merge(base: base, wanted: wanted, now: now, isHidden: hidden.contains)
          if let words = difference(found, base, wanted, now, hidden) {
            Issue.record("\(base) as \(wanted), now \(now), hidden \(hidden): \(found), \(words)")
            return
          }
        }
      }
    }
  }

  /// The rules of specification 1.5 and 1.6.13, word by word.
  private func difference(
    _ found: Merged<Int>, _ base: [Int], _ wanted: [Int], _ now: [Int], _ hidden: Set<Int>
  ) -> String? {
    // A line that was left out is put back behind its former neighbour.
    var text = wanted
    for (place, item) in base.enumerated() where !text.contains(item) && now.contains(item) {
      guard let above = base[..<place].last(where: text.contains) else { continue }
      text.insert(item, at: (text.firstIndex(of: above) ?? 0) + 1)
    }
    // The fewest moves that explain the new order.
    func explains(_ moved: [Int]) -> Bool {
      let staying = text.filter { !moved.contains($0) }
      return staying == base.filter(staying.contains)
    }
    let fewest = (0..<(1 << text.count)).filter { bits in
      explains(text.indices.filter { bits >> $0 & 1 == 1 }.map { text[$0] })
    }.map(\.nonzeroBitCount).min()
    if !explains(found.moved) || found.moved.count != fewest { return "moved" }
    // Each with the hidden ones below it, from the top of the text downwards, behind the nearest
    // line above that is there.
    var blocks: [Int: [Int]] = [:]
    for item in found.moved {
      let below = now.firstIndex(of: item).map { now[($0 + 1)...].prefix(while: hidden.contains) }
      blocks[item] = [item] + (below ?? [])
    }
    var list = now.filter { !blocks.values.joined().contains($0) }
    for (place, item) in text.enumerated() {
      guard let block = blocks[item] else { continue }
      let above = text[..<place].last(where: list.contains)
      let behind = above.flatMap { blocks[$0]?.last ?? $0 }
      list.insert(contentsOf: block, at: behind.flatMap(list.firstIndex).map { $0 + 1 } ?? 0)
    }
    if found.goal != list { return "not \(list)" }
    return found.carried == Set(blocks.values.joined()) ? nil : "carried"
  }
}

/// Every order of every part of the list.
func arrangements(_ list: [Int]) -> [[Int]] {
  [[]] + list.flatMap { first in arrangements(list.filter { $0 != first }).map { [first] + $0 } }
}
