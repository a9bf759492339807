import TestSupport
import Testing

@testable import LibraryModel

@Suite("Position keys", .limited)
struct PositionsTests {
  static let stride: Int64 = 1 << 32
  typealias NewKey = PositionKeys.NewKey

  @Test("fresh keys are strides apart, from 0")
  func fresh() {
    #expect(PositionKeys(count: 4).all == [0, Self.stride, 2 * Self.stride, 3 * Self.stride])
    #expect(PositionKeys().all.isEmpty)
    var keys = PositionKeys()
    #expect(
      keys.insert(2, at: 0)
        == [NewKey(position: 0, key: 0), NewKey(position: 1, key: Self.stride)])
  }

  @Test(
    "one between two gets the midpoint, rounded down",
    arguments: [
      (0, 10, 5), (0, 3, 1), (-3, 0, -2), (-10, -7, -9), (7, 9, 8),
      (.min, .max, -1), (.min, .min + 2, .min + 1),
    ] as [(Int64, Int64, Int64)])
  func midpoint(above: Int64, below: Int64, key: Int64) throws {
    var keys = try #require(PositionKeys([above, below]))
    #expect(keys.insert(at: 1) == [NewKey(position: 1, key: key)])
    #expect(keys.all == [above, key, below])
  }

  @Test("a block in a gap is evenly spaced")
  func block() throws {
    var keys = try #require(PositionKeys([0, 100]))
    #expect(keys.insert(3, at: 1).map(\.key) == [25, 50, 75])
    #expect(keys.all == [0, 25, 50, 75, 100])
    var full = try #require(PositionKeys([10, 14]))
    #expect(full.insert(3, at: 1).map(\.key) == [11, 12, 13])
    var wide = try #require(PositionKeys([.min, .max]))
    #expect(
      wide.insert(2, at: 1).map(\.key) == [-0x2AAA_AAAA_AAAA_AAAB, 0x2AAA_AAAA_AAAA_AAAA])
  }

  @Test("at either end a stride is added, and nothing else is written")
  func ends() {
    var keys = PositionKeys(count: 2)
    #expect(keys.insert(at: 0) == [NewKey(position: 0, key: -Self.stride)])
    #expect(keys.insert(at: 3) == [NewKey(position: 3, key: 2 * Self.stride)])
    #expect(
      keys.insert(2, at: 0)
        == [
          NewKey(position: 0, key: -3 * Self.stride), NewKey(position: 1, key: -2 * Self.stride),
        ])
    #expect(keys.insert(2, at: 6).map(\.key) == [3 * Self.stride, 4 * Self.stride])
    #expect(keys.insert(0, at: 3).isEmpty)
  }

  @Test("a short list is renumbered as a whole when a gap closes, after 32 inserts")
  func closing() {
    var keys = PositionKeys(count: 3)
    for _ in 0..<32 {
      #expect(keys.insert(at: 2).count == 1)
    }
    let new = keys.insert(at: 2)
    #expect(keys.all == PositionKeys(count: 36).all)
    // The first two were fresh already.
    #expect(new.map(\.position) == Array(2..<36))
  }

  @Test("the whole list is renumbered up to 1,024 items, and beyond only a neighbourhood")
  func shortAndLong() throws {
    for (count, isWhole) in [(1_023, true), (1_024, false)] {
      var stored = PositionKeys(count: count).all
      stored[500] = stored[499] + 1
      var keys = try #require(PositionKeys(stored))
      let new = keys.insert(at: 500)
      #expect(new.count == (isWhole ? count + 1 - 500 : 3))
      if isWhole { #expect(keys.all == PositionKeys(count: count + 1).all) }
      #expect(zip(keys.all, keys.all.dropFirst()).allSatisfy(<))
    }
  }

  @Test("where a stride would leave 64 bits, the list gets fresh keys", arguments: [10, 3_000])
  func overflow(count: Int) throws {
    let ends = [
      PositionKeys(count: count).all.map { Int64.min + $0 },
      PositionKeys(count: count).all.reversed().map { Int64.max - $0 },
    ]
    for (stored, position) in zip(ends, [0, count]) {
      var keys = try #require(PositionKeys(stored))
      let new = keys.insert(2, at: position)
      #expect(new.count == count + 2)
      #expect(keys.all == PositionKeys(count: count + 2).all)
    }
  }

  @Test("a move writes the rows of what moved")
  func moving() {
    var keys = PositionKeys(count: 5)
    #expect(keys.move(0..<1, to: 2) == [NewKey(position: 2, key: Self.stride * 5 / 2)])
    #expect(keys.all.map { $0 * 2 / Self.stride } == [2, 4, 5, 6, 8])
    #expect(keys.move(1..<3, to: 1).isEmpty)
    #expect(keys.move(3..<5, to: 0).map(\.key) == [-Self.stride, 0])
    #expect(keys.move(0..<5, to: 0).isEmpty)
  }

  @Test("a moved item that comes by its former key again is not written")
  func movingToTheSameKey() throws {
    var keys = try #require(PositionKeys([-20, -19, Self.stride]))
    #expect(
      keys.move(2..<3, to: 1)
        == [NewKey(position: 0, key: 0), NewKey(position: 2, key: 2 * Self.stride)])
    #expect(keys.all == PositionKeys(count: 3).all)
  }

  @Test("keys that are no order are refused, and others are found again")
  func stored() throws {
    #expect(PositionKeys([1, 1]) == nil)
    #expect(PositionKeys([2, 1]) == nil)
    let stored: [Int64] = [.min, -5, 0, 7, .max]
    let keys = try #require(PositionKeys(stored))
    #expect(keys.all == stored)
    for (position, key) in stored.enumerated() {
      #expect(keys[position] == key)
      #expect(keys.position(of: key) == position)
    }
    #expect(keys.position(of: 6) == nil)
    #expect(keys.position(of: .min + 1) == nil)
    #expect(PositionKeys().position(of: 0) == nil)
  }
}
