import TestSupport
import Testing

@testable import LibraryModel

@Suite("A list and its keys", .limited)
struct KeyedListTests {
  /// The model: a table of rows, which does nothing but what it is told.
  struct Table {
    var keys: [Int: Int64] = [:]

    /// Everybody in the order of their keys, of which no two may be equal.
    var order: [Int] { keys.sorted { $0.value < $1.value }.map(\.key) }

    mutating func follow(_ list: inout KeyedList<Int>, to new: [Int]) -> (rows: Int, removed: [Int])
    {
      let (written, removed) = list.become(new)
      for item in removed { keys[item] = nil }
      for (item, key) in written { keys[item] = key }
      return (written.count, removed)
    }
  }

  /// Small lists meet every case of neighbours; long ones are renumbered in part.
  @Test(
    "a table that follows any changes has the list's order",
    arguments: [(4, 2_000), (40, 800), (1_500, 60)])
  func random(length: Int, steps: Int) {
    var generator = SeededGenerator(usually: UInt64(20_500 + length))
    let seed = "\(generator)"
    var list = KeyedList<Int>()
    var table = Table()
    var items: [Int] = []
    var next = 0
    for step in 0..<steps {
      let before = items
      Self.change(&items, &next, length, &generator)
      let (_, removed) = table.follow(&list, to: items)
      let staying = Set(items)
      let isRight =
        list.items == items && table.keys.count == items.count && table.order == items
        && list.allKeys == items.map { table.keys[$0] }
        && removed == before.filter { !staying.contains($0) }
      if !isRight {
        Issue.record("\(seed), step \(step): \(before) becomes \(items)")
        return
      }
      // Now and then it is read again, as after a restart.
      if step % 7 == 0 {
        guard let read = KeyedList(items, keys: items.compactMap { table.keys[$0] }) else {
          Issue.record("what was written is no order: \(seed), step \(step)")
          return
        }
        list = read
      }
    }
  }

  private static func change(
    _ items: inout [Int], _ next: inout Int, _ length: Int, _ generator: inout SeededGenerator
  ) {
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      let place = Int.random(in: 0...items.count, using: &generator)
      let end = min(items.count, place + Int.random(in: 0...3, using: &generator))
      switch Int.random(in: 0..<(items.count < length ? 7 : 4), using: &generator) {
      case 0: items.removeSubrange(place..<end)
      case 1, 2:
        let block = items[place..<end]
        items.removeSubrange(place..<end)
        items.insert(
          contentsOf: block, at: Int.random(in: 0...items.count, using: &generator))
      case 3: items[place..<end].shuffle(using: &generator)
      default:
        let count = Int.random(in: 1...max(1, length / 4), using: &generator)
        items.insert(contentsOf: next..<next + count, at: place)
        next += count
      }
    }
    if Int.random(in: 0..<30, using: &generator) == 0 { items.shuffle(using: &generator) }
  }

  @Test("a move writes the rows that move, the fewest that explain the new order")
  func fewest() {
    var list = KeyedList<Int>()
    var table = Table()
    #expect(table.follow(&list, to: Array(0..<1_000)).rows == 1_000)
    var items = Array(0..<1_000)
    items.insert(items.remove(at: 999), at: 0)
    #expect(table.follow(&list, to: items).rows == 1)
    items.append(items.removeFirst())
    #expect(table.follow(&list, to: items).rows == 1)
    items.insert(contentsOf: [items.remove(at: 500), items.remove(at: 600)], at: 100)
    #expect(table.follow(&list, to: items).rows == 2)
    items.remove(at: 7)
    #expect(table.follow(&list, to: items) == (0, [7]))
    items.insert(1_000, at: 300)
    #expect(table.follow(&list, to: items).rows == 1)
    #expect(table.follow(&list, to: items) == (0, []))
    #expect(table.order == items)
    items.swapAt(20, 900)
    #expect(table.follow(&list, to: items).rows == 2)
    #expect(table.order == items)
  }

  @Test("of two neighbouring blocks of one length the lower one is written")
  func neighbours() {
    for (new, written) in [([1, 0, 2], [0]), ([2, 0, 1], [2]), ([1, 2, 0], [0])] {
      var list = KeyedList<Int>()
      _ = list.become([0, 1, 2])
      #expect(list.become(new).written.map(\.item) == written)
    }
  }

  @Test("inserts at one spot are renumbered now and then, and stay in order")
  func renumbering() {
    var list = KeyedList<Int>()
    var table = Table()
    var items = Array(0..<2_000)
    _ = table.follow(&list, to: items)
    var most = 0
    for next in 2_000..<2_400 {
      items.insert(next, at: 1_000)
      most = max(most, table.follow(&list, to: items).rows)
    }
    #expect(table.order == items)
    #expect(most > 1, "the gap never closed")
    #expect(most < 400)
  }

  @Test("what was stored and is no order is refused")
  func refused() {
    #expect(KeyedList([1, 2], keys: [5, 5]) == nil)
    #expect(KeyedList([1, 2], keys: [6, 5]) == nil)
    #expect(KeyedList([1, 1], keys: [5, 6]) == nil)
    #expect(KeyedList([1], keys: [5, 6]) == nil)
    #expect(KeyedList([1, 2], keys: [5, 6])?.items == [1, 2])
  }
}
