import Ordering
import TestSupport
import Testing

@Suite("Moving what was chosen", .limited)
struct OrderingPlacingTests {
  /// The rules as words say them, one after the other.
  private func plainly(
    _ chosen: Set<Int>, to place: Place<Int>, in order: [Int], _ listed: Set<Int>
  ) -> [Int] {
    let block = order.filter(chosen.contains)
    var rest = order.filter { !chosen.contains($0) }
    func put(at index: Int) -> [Int] {
      rest.insert(contentsOf: block, at: index)
      return rest
    }
    if block.isEmpty { return order }
    switch place {
    case .top: return put(at: 0)
    case .bottom: return put(at: rest.count)
    case .before(let anchor): return put(at: rest.firstIndex(of: anchor) ?? 0)
    case .after(let anchor):
      return put(at: rest.firstIndex(of: anchor).map { $0 + 1 } ?? rest.count)
    case .up, .down: break
    }
    let shown = order.filter(listed.contains)
    let places = shown.indices.filter { chosen.contains(shown[$0]) }
    guard let low = places.first, let high = places.last else { return order }
    if high - low + 1 > places.count {
      // Scattered ones gather at their first or last member.
      let member = place == .up ? block[0] : block[block.count - 1]
      let above = order.prefix { $0 != member }.filter { !chosen.contains($0) }
      return put(at: above.count)
    }
    if place == .up {
      return low == 0 ? order : put(at: rest.firstIndex(of: shown[low - 1]) ?? 0)
    }
    return high + 1 == shown.count
      ? order : put(at: (rest.firstIndex(of: shown[high + 1]) ?? 0) + 1)
  }

  @Test("every choice of five goes to every place as the rules say")
  func all() {
    let order = Array(0..<5)
    for bits in 1..<32 {
      let chosen = Set(order.filter { bits >> $0 & 1 == 1 })
      let anchors = order.filter { !chosen.contains($0) }
      let places: [Place<Int>] =
        [.top, .bottom, .up, .down] + anchors.flatMap { [.before($0), .after($0)] }
      for shown in 0..<32 {
        let listed = Set(order.filter { shown >> $0 & 1 == 1 })
        for place in places {
          let found = placing(
            order.filter(chosen.contains), at: place, in: order, isListed: listed.contains)
          let wanted = plainly(chosen, to: place, in: order, listed)
          #expect(found == wanted, "\(chosen.sorted()) \(place) of \(listed.sorted())")
        }
      }
    }
  }

  /// Tests/Window/model.test.js has the same moves and the same number.
  @Test("10,000 seeded moves end as the page of crated web predicts them")
  func agreement() {
    var random = SeededGenerator(seed: 10)
    func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    var digest: UInt32 = 0x811c_9dc5  // FNV-1a of all orders, each with 255 behind it.
    func add(_ byte: Int) { digest = (digest ^ UInt32(byte)) &* 0x0100_0193 }
    for _ in 0..<10_000 {
      var order = Array(0..<1 + below(12))
      for index in stride(from: order.count - 1, to: 0, by: -1) {
        order.swapAt(index, below(index + 1))
      }
      let gone = Set(order.filter { _ in below(5) == 0 })
      let chosen = Set(order.filter { _ in below(3) == 0 })
      let kind = below(6)
      let anchor = below(order.count)
      let place = [Place.top, .bottom, .up, .down, .before(anchor), .after(anchor)][kind]
      placing(order.filter(chosen.contains), at: place, in: order) { !gone.contains($0) }
        .forEach(add)
      add(255)
    }
    #expect(digest == 1_190_964_580)
  }

  @Test("a longer list finds the place for one item by asking for its neighbours alone")
  func single() {
    var asked: [Int] = []
    let list = Array(0..<1_000)
    let gap = list.gap(for: [500], at: .up) { item in
      asked.append(item)
      return item != 499
    }
    #expect(gap == 498 && Set(asked) == [500, 499, 498])
    #expect(list.gap(for: [0], at: .up) { _ in true } == nil)
    #expect(predecessor(of: 0, in: list) == nil && predecessor(of: 3, in: list) == 2)
    #expect(predecessor(of: 1_000, in: list) == nil)
  }

  @Test("things gather at one of them, and an anchor that is not there is an end of the list")
  func anchors() {
    func move(_ items: [Int], _ place: Place<Int>) -> [Int] {
      placing(items, at: place, in: [1, 2, 3])
    }
    #expect(move([1, 3], .before(3)) == [2, 1, 3] && move([1], .after(1)) == [1, 2, 3])
    #expect(move([2, 3], .before(9)) == [2, 3, 1] && move([3], .before(9)) == [3, 1, 2])
    #expect(move([1, 2], .after(9)) == [3, 1, 2] && move([1], .after(9)) == [2, 3, 1])
  }

  @Test("what comes from elsewhere stands together at its place, in the order that it is given")
  func bringing() {
    func bring(_ items: [Int], _ place: Place<Int>) -> [Int] {
      placing(items, at: place, in: [1, 2, 3])
    }
    #expect(bring([9, 8], .top) == [9, 8, 1, 2, 3])
    #expect(bring([9, 1], .after(2)) == [2, 9, 1, 3])
    #expect(bring([3, 9], .before(1)) == [3, 9, 1, 2])
    #expect(permuting([4, 2], in: [1, 2, 3, 4]) == [1, 4, 3, 2])
  }
}
