import TestSupport
import Testing

@testable import LibraryModel

@Suite("Keys in chunks", .limited)
struct ChunkedKeysTests {
  /// Whatever is removed and inserted again, they are what an array is.
  @Test("are what an array is, in chunks of any length", arguments: [4, 5, 8, 16])
  func same(limit: Int) {
    for count in 0...22 {
      let plain = (0..<count).map { Int64(10 * $0) }
      for start in 0...count {
        for end in start...count {
          var keys = ChunkedKeys(plain, limit: limit)
          var left = plain
          keys.remove(start..<end)
          left.removeSubrange(start..<end)
          expectSame(keys, left)
          let new = (0..<(end - start)).map { Int64(10 * start - 5 * (end - start)) + Int64($0) }
          keys.insert(new, at: start)
          left.insert(contentsOf: new, at: start)
          #expect(keys.all == left && keys.count == left.count)
        }
      }
    }
  }

  private func expectSame(_ keys: ChunkedKeys, _ plain: [Int64]) {
    var isSame = keys.all == plain && keys.count == plain.count
    isSame = isSame && plain.indices.allSatisfy { keys[$0] == plain[$0] }
    isSame = isSame && plain.indices.allSatisfy { keys.position(of: plain[$0]) == $0 }
    isSame = isSame && plain.allSatisfy { keys.position(of: $0 + 1) == nil }
    isSame = isSame && keys.position(of: -1) == nil
    // From each to the next, both ways.
    for (place, next) in plain.indices.dropFirst().enumerated() {
      let (spot, other) = (keys.spot(of: place), keys.spot(of: next))
      isSame = isSame && keys.spot(.below, spot).map { keys[$0] } == plain[next]
      isSame = isSame && keys.spot(.above, other).map { keys[$0] } == plain[place]
    }
    if !plain.isEmpty {
      isSame = isSame && keys.spot(.above, keys.spot(of: 0)) == nil
      isSame = isSame && keys.spot(.below, keys.spot(of: plain.count - 1)) == nil
    }
    #expect(isSame, "\(plain)")
  }
}
