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

  /// Chunks of so many keys each, two at least; a whole one has six at first.
  private func keys(_ lengths: [Int]) -> ChunkedKeys {
    var keys = ChunkedKeys((0..<(6 * lengths.count)).map { Int64(10 * $0) }, limit: 8)
    for (chunk, length) in lengths.enumerated().reversed() {
      keys.remove((6 * chunk + length)..<(6 * chunk + 6))
    }
    #expect(keys.chunkLengths == lengths)
    return keys
  }

  @Test("begin in chunks of three quarters of the limit at most, which are split beyond it")
  func splitting() {
    for (count, lengths) in [
      (0, []), (1, [1]), (6, [6]), (7, [3, 4]), (12, [6, 6]), (13, [4, 4, 5]), (18, [6, 6, 6]),
    ] {
      #expect(ChunkedKeys((0..<count).map { Int64($0) }, limit: 8).chunkLengths == lengths)
    }
    for (count, lengths) in [(1, [6, 7]), (2, [6, 8]), (3, [6, 4, 5]), (7, [6, 4, 4, 5])] {
      var keys = keys([6, 6])
      keys.insert((0..<count).map { Int64(100 + $0) }, at: 12)
      #expect(keys.chunkLengths == lengths)
    }
    var usual = ChunkedKeys((0..<384).map { Int64($0) })
    usual.insert((384..<512).map { Int64($0) }, at: 384)
    #expect(usual.chunkLengths == [512])
    usual.insert([512], at: 512)
    #expect(usual.chunkLengths == [256, 257])
  }

  @Test("of less than a quarter of the limit join a neighbour, if there is room to spare")
  func joining() {
    for (lengths, removed, left) in [
      ([2, 5], 0..<1, [6]), ([2, 6], 0..<1, [1, 6]), ([3, 2], 0..<1, [2, 2]),
      ([5, 2], 6..<7, [6]), ([6, 2], 7..<8, [6, 1]), ([3, 2, 3], 3..<4, [4, 3]),
      ([6, 2, 3], 7..<8, [6, 4]), ([6, 2, 6], 6..<7, [6, 1, 6]), ([6, 2, 6], 6..<8, [6, 6]),
      ([6, 6, 6], 5..<13, [5, 5]), ([6, 6, 6], 1..<17, [2]), ([6, 6, 6], 0..<17, [1]),
      ([6, 6, 6], 6..<12, [6, 6]), ([6, 6, 6], 0..<18, []), ([6, 6, 6], 3..<12, [3, 6]),
      ([2, 2, 6], 0..<1, [3, 6]), ([6, 6], 6..<12, [6]),
    ] {
      var keys = keys(lengths)
      var plain = keys.all
      keys.remove(removed)
      plain.removeSubrange(removed)
      #expect(keys.chunkLengths == left, "\(lengths) \(removed)")
      expectSame(keys, plain)
    }
  }
}
