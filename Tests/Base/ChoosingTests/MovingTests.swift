import TestSupport
import Testing

@testable import Choosing

@Suite("Moving what was chosen", .limited)
struct ChoosingMovingTests {
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
          let found = moving(chosen, to: place, in: order, isListed: listed.contains)
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
      moving(chosen, to: place, in: order) { !gone.contains($0) }.forEach(add)
      add(255)
    }
    #expect(digest == 1_897_084_702)
  }

  @Test("a single move that changes nothing is none, and one that does says what stands above")
  func single() {
    let order = [1, 2, 3]
    func move(_ item: Int, _ place: Place<Int>) -> SingleMove<[Int]>? {
      SingleMove(of: item, to: place, in: order) { _ in true }
    }
    #expect(move(1, .top) == nil && move(3, .bottom) == nil && move(4, .top) == nil)
    #expect(move(2, .after(1)) == nil && move(2, .before(3)) == nil)
    let up = move(3, .up)?.predecessors(in: order)
    #expect(up?.new == 1 && up?.old == 2)
    let top = move(2, .top)?.predecessors(in: order)
    #expect(top?.new == nil && top?.old == 1)
    #expect(predecessor(of: 1, in: order) == nil && predecessor(of: 3, in: order) == 2)
    #expect(predecessor(of: 4, in: order) == nil)
  }

  @Test("several go to the top before an anchor that is not there, and to the end after one")
  func missingAnchors() {
    func move(_ chosen: Set<Int>, _ place: Place<Int>) -> [Int] {
      moving(chosen, to: place, in: [1, 2, 3]) { _ in true }
    }
    #expect(move([2, 3], .before(9)) == [2, 3, 1] && move([3], .before(9)) == [3, 1, 2])
    #expect(move([1, 2], .after(9)) == [3, 1, 2] && move([1], .after(9)) == [2, 3, 1])
  }

  @Test("what comes from elsewhere stands together at its place, in the order that it has")
  func bringingOthers() {
    func bring(_ moved: [Int], _ place: Place<Int>) -> [Int] {
      bringing(moved, to: place, in: [1, 2, 3]) { _ in true }
    }
    #expect(bring([9, 8], .top) == [9, 8, 1, 2, 3])
    #expect(bring([9, 1], .after(2)) == [2, 9, 1, 3])
    #expect(bring([3, 9], .before(1)) == [3, 9, 1, 2])
    #expect(reordered([1, 2, 3, 4], [4, 2]) == [1, 4, 3, 2])
  }
}
