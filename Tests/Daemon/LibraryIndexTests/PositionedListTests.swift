import TestSupport
import Testing

@testable import LibraryIndex

@Suite("A list and its positions", .limited)
struct PositionedListTests {
  /// Small lists meet every case of neighbours.
  @Test(
    "a table that follows any changes has the list's order", arguments: [(4, 2_000), (40, 800)])
  func random(length: Int, steps: Int) {
    var generator = SeededGenerator(usually: UInt64(20_500 + length))
    let seed = "\(generator)"
    var list = PositionedList<Int>()
    // The model is a table of rows, in which nothing is done but what the list says.
    var table: [Int: Int64] = [:]
    var items: [Int] = []
    var next = 0
    for step in 0..<steps {
      let before = items
      Self.change(&items, &next, length, &generator)
      let (written, removed) = list.update(to: items)
      for item in removed { table[item] = nil }
      for (item, position) in written { table[item] = position }
      let staying = Set(items)
      let isRight =
        list.items == items && list.positions == items.map { table[$0] }
        && table.sorted { $0.value < $1.value }.map(\.key) == items
        && removed == before.filter { !staying.contains($0) }
      // Now and then it is read again, as after a restart.
      let read = PositionedList(items, positions: items.compactMap { table[$0] })
      guard isRight, let read else {
        Issue.record("\(seed), step \(step): \(before) becomes \(items)")
        return
      }
      if step % 7 == 0 { list = read }
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

  @Test("beyond the highest and the lowest position the list is renumbered")
  func ends() throws {
    let highest = PositionedList<Int>.highest
    var list = try #require(PositionedList([1, 2], positions: [-highest, highest]))
    #expect(list.update(to: [1, 3, 2]).written.map(\.position) == [0])
    #expect(list.update(to: [1, 3, 2, 4]).written.count == 4)
    list = try #require(PositionedList([1, 2], positions: [-highest, highest]))
    #expect(list.update(to: [4, 1, 2]).written.count == 3)
    #expect(list.positions == [0, 1, 2].map { $0 * PositionedList<Int>.stride })
  }

  @Test("what was stored and is no order is refused")
  func refused() {
    for (items, positions) in [
      ([1, 2], [5, 5]), ([1, 2], [6, 5]), ([1, 1], [5, 6]), ([1], [5, 6]), ([1, 2], [5, .max]),
      ([1, 2], [.min, 5]),
    ] as [([Int], [Int64])] { #expect(PositionedList(items, positions: positions) == nil) }
    #expect(PositionedList([1, 2], positions: [5, 6])?.items == [1, 2])
  }
}
