import TestSupport
import Testing

@testable import Ordering

@Suite("Selecting a range", .limited)
struct OrderingRangeTests {
  /// Capitals are selected.
  static let cases: [(before: String, item: Character, way: ListDirection, after: String?)] = [
    ("abcde", "c", .above, "ABCde"),
    ("abcde", "c", .below, "abCDE"),
    ("Abcde", "d", .above, "ABCDe"),
    ("abcdE", "b", .below, "aBCDE"),
    ("ABCDE", "c", .above, "abcDE"),
    ("ABCDE", "c", .below, "ABcde"),
    ("aBCDe", "d", .above, "abcde"),
    ("aBCDe", "b", .below, "abcde"),
    ("AbCdE", "c", .above, nil),
    ("AbCdE", "c", .below, nil),
    ("abcde", "a", .above, nil),
    ("abcde", "e", .below, nil),
    ("ABCDE", "a", .above, nil),
    ("ABCDE", "e", .below, nil),
    ("abcde", "x", .above, nil),
  ]

  @Test("ranges become as the table says", arguments: cases)
  func table(_ one: (before: String, item: Character, way: ListDirection, after: String?)) {
    let items = Array(one.before.lowercased())
    let selected = Set(one.before.filter(\.isUppercase).lowercased())
    var selection = RangeSelection(items, selected: selected)
    #expect(selection.canSelectRange(one.way, from: one.item) == (one.after != nil))
    let turned = selection.selectRange(one.way, from: one.item)
    #expect((turned != nil) == (one.after != nil))
    let shown = items.map { selection.selected.contains($0) ? $0.uppercased() : String($0) }
    #expect(shown.joined() == one.after ?? one.before)
  }

  @Test("every range of lists of up to six is what a walk over plain flags finds")
  func exhaustive() {
    var ranges = 0
    for count in 0...6 {
      let items = Array(0..<count)
      for flags in everySelection(of: count) {
        let start = RangeSelection(items, selected: Set(items.filter { flags[$0] }))
        for item in -1...count {
          for way in ListDirection.allCases {
            let expected = turnedOver(flags, from: item, way)
            #expect(start.canSelectRange(way, from: item) == (expected != nil))
            var selection = start
            #expect(selection.selectRange(way, from: item).map(Array.init) == expected)
            let turned = expected ?? []
            #expect(
              items.map(selection.selected.contains)
                == items.map { turned.contains($0) ? !flags[$0] : flags[$0] })
            #expect(selection.items == items)
            ranges += expected == nil ? 0 : 1
          }
        }
      }
    }
    #expect(ranges > 0)
  }

  /// The model: the item and those like it up to the first that isn't.
  private func turnedOver(_ flags: [Bool], from item: Int, _ way: ListDirection) -> [Int]? {
    guard flags.indices.contains(item) else { return nil }
    let side = way == .above ? (0..<item).reversed() : Array(item + 1..<flags.count)
    let same = side.prefix { flags[$0] == flags[item] }
    return same.isEmpty ? nil : (same + [item]).sorted()
  }

  @Test("one item is turned over alone")
  func toggling() {
    for flags in everySelection(of: 4) {
      for item in -1...4 {
        var selection = RangeSelection([0, 1, 2, 3], selected: Set((0..<4).filter { flags[$0] }))
        selection.toggle(item)
        let after = (0..<4).map { $0 == item ? !flags[$0] : flags[$0] }
        #expect((0..<4).map(selection.selected.contains) == after)
        #expect(selection.selected.count == after.count { $0 })
      }
    }
  }

  @Test("the selection goes on in a list that lost, gained and moved items")
  func following() {
    for flags in everySelection(of: 5) {
      let selected = Set((0..<5).filter { flags[$0] })
      for stays in everySelection(of: 5) {
        // 7 is new, and all the others are the other way round.
        let list = [7] + (0..<5).reversed().filter { stays[$0] }
        var selection = RangeSelection(Array(0..<5), selected: selected)
        selection.follow(list)
        #expect(selection.items == list)
        #expect(selection.selected == selected.filter { stays[$0] })
        #expect(selection == RangeSelection(list, selected: selected))
      }
    }
  }
}

/// The flags of every subset of a list.
func everySelection(of count: Int) -> [[Bool]] {
  (0..<1 << count).map { bits in (0..<count).map { bits >> $0 & 1 == 1 } }
}
