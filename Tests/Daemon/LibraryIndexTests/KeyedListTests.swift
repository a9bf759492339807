import TestSupport
import Testing

@testable import LibraryIndex

@Suite("A list and its positions", .limited)
struct KeyedListTests {
  /// A list, and as the model a table of rows, which does nothing but what it is told.
  struct Follower {
    var list = KeyedList<Int>()
    var table: [Int: Int64] = [:]

    /// The items in the order of their positions, of which no two may be equal.
    var order: [Int] { table.sorted { $0.value < $1.value }.map(\.key) }

    mutating func follow(_ new: [Int]) -> (rows: Int, removed: [Int]) {
      let (written, removed) = list.become(new)
      for item in removed { table[item] = nil }
      for (item, position) in written { table[item] = position }
      return (written.count, removed)
    }
  }

  /// Small lists meet every case of neighbours.
  @Test(
    "a table that follows any changes has the list's order", arguments: [(4, 2_000), (40, 800)])
  func random(length: Int, steps: Int) {
    var generator = SeededGenerator(usually: UInt64(20_500 + length))
    let seed = "\(generator)"
    var follower = Follower()
    var items: [Int] = []
    var next = 0
    for step in 0..<steps {
      let before = items
      Self.change(&items, &next, length, &generator)
      let (_, removed) = follower.follow(items)
      let staying = Set(items)
      let isRight =
        follower.list.items == items && follower.order == items
        && follower.list.positions == items.map { follower.table[$0] }
        && removed == before.filter { !staying.contains($0) }
      // Now and then it is read again, as after a restart.
      let read = KeyedList(items, positions: items.compactMap { follower.table[$0] })
      guard isRight, let read else {
        Issue.record("\(seed), step \(step): \(before) becomes \(items)")
        return
      }
      if step % 7 == 0 { follower.list = read }
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
    var follower = Follower()
    var items = Array(0..<1_000)
    #expect(follower.follow(items).rows == 1_000)
    items.insert(items.remove(at: 999), at: 0)
    #expect(follower.follow(items).rows == 1)
    items.append(items.removeFirst())
    #expect(follower.follow(items).rows == 1)
    items.insert(contentsOf: [items.remove(at: 500), items.remove(at: 600)], at: 100)
    #expect(follower.follow(items).rows == 2)
    items.remove(at: 7)
    #expect(follower.follow(items) == (0, [7]))
    items.insert(1_000, at: 300)
    #expect(follower.follow(items).rows == 1)
    #expect(follower.follow(items) == (0, []))
    items.swapAt(20, 900)
    #expect(follower.follow(items).rows == 2)
    #expect(follower.order == items)
  }

  @Test("a list is renumbered seldom, however many items come at one spot")
  func oneSpot() {
    var follower = Follower()
    var items = Array(0..<100)
    _ = follower.follow(items)
    var renumberings = 0
    for next in 100..<500 {
      items.insert(next, at: next % 2 == 0 ? 50 : 51)
      if follower.follow(items).rows > 1 { renumberings += 1 }
    }
    #expect(follower.order == items)
    #expect((1...12).contains(renumberings))
  }

  @Test("beyond the highest and the lowest position the list is renumbered")
  func ends() throws {
    let highest = KeyedList<Int>.highest
    var list = try #require(KeyedList([1, 2], positions: [-highest, highest]))
    #expect(list.become([1, 3, 2]).written.map(\.position) == [0])
    #expect(list.become([1, 3, 2, 4]).written.count == 4)
    list = try #require(KeyedList([1, 2], positions: [-highest, highest]))
    #expect(list.become([4, 1, 2]).written.count == 3)
    #expect(list.positions == [0, 1, 2].map { $0 * KeyedList<Int>.stride })
  }

  @Test("what was stored and is no order is refused")
  func refused() {
    #expect(KeyedList([1, 2], positions: [5, 5]) == nil)
    #expect(KeyedList([1, 2], positions: [6, 5]) == nil)
    #expect(KeyedList([1, 1], positions: [5, 6]) == nil)
    #expect(KeyedList([1], positions: [5, 6]) == nil)
    #expect(KeyedList([1, 2], positions: [5, .max]) == nil)
    #expect(KeyedList([1, 2], positions: [.min, 5]) == nil)
    #expect(KeyedList([1, 2], positions: [5, 6])?.items == [1, 2])
  }
}
