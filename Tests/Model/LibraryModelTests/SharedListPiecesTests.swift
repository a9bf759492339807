import TestSupport
import Testing

@testable import LibraryModel

@Suite("The pieces of a list that copies share", .limited)
struct SharedListPiecesTests {
  /// Pieces of so many items each, which are 0 and up.
  private func list(_ lengths: Int...) -> SharedList<Int> {
    var list = SharedList<Int>(limit: 8)
    let full = lengths.count * 8
    for item in 0..<full { list.append(item) }
    for (piece, length) in lengths.enumerated() {
      for item in (8 * piece + length)..<(8 * piece + 8) { list.remove(item) }
    }
    #expect(list.pieceCount == lengths.count && list.count == lengths.reduce(0, +))
    return list
  }

  @Test("a piece of less than a quarter joins its neighbour, if there is room to spare")
  func joining() {
    for (first, second, isJoined) in [(2, 5, true), (2, 6, false), (3, 2, false), (2, 2, true)] {
      var list = list(first, second)
      list.remove(0)
      #expect(list.pieceCount == (isJoined ? 1 : 2), "\(first) \(second)")
      #expect(list.count == first + second - 1)
      var other = self.list(second, first)
      other.remove(8)
      #expect(other.pieceCount == (isJoined ? 1 : 2), "\(first) \(second)")
    }
    // The upper neighbour before the lower one; an empty piece goes in any case.
    var three = list(3, 2, 3)
    three.remove(8)
    #expect(three.pieceCount == 2)
    #expect(Array(three) == [0, 1, 2, 9, 16, 17, 18])
    three = list(8, 2, 8)
    three.remove(8)
    #expect(three.pieceCount == 3)
    three.remove(9)
    #expect(three.pieceCount == 2)
  }

  @Test("what moves away leaves no short piece behind")
  func moving() {
    var list = list(2, 4)
    _ = list.move(0, after: 11)
    #expect(list.pieceCount == 1 && Array(list) == [1, 8, 9, 10, 11, 0])
    list = self.list(3, 4)
    _ = list.move(0, after: 11)
    #expect(list.pieceCount == 2)
    // Inside a piece nothing is joined.
    list = self.list(2, 8)
    _ = list.move(0, after: 1)
    #expect(list.pieceCount == 2 && Array(list.prefix(2)) == [1, 0])
  }

  @Test("a full piece is split in the middle, and at its ends a new one begins")
  func full() {
    for (anchor, pieces) in [(nil, 2), (0, 2), (3, 2), (4, 2), (6, 2), (7, 2)] as [(Int?, Int)] {
      var list = list(8)
      _ = list.insert(100, after: anchor)
      #expect(list.pieceCount == pieces)
      var plain = Array(0..<8)
      plain.insert(100, at: anchor.map { $0 + 1 } ?? 0)
      #expect(Array(list) == plain)
      // Of the new piece at an end there is room for seven more.
      for more in 101..<108 { list.append(more) }
      #expect(
        list.pieceCount == (anchor == nil ? 3 : anchor == 7 ? 2 : 3),
        "\(String(describing: anchor))")
    }
    // The next one has room.
    var two = list(8, 7)
    _ = two.insert(100, after: 7)
    #expect(two.pieceCount == 2)
    _ = two.insert(101, after: 7)
    #expect(two.pieceCount == 3)
  }

  @Test("an item is found by how many stand above it, and that by the item")
  func ranks() {
    for list in [list(8), list(2, 5, 8), SharedList<Int>(limit: 8)] {
      let plain = Array(list)
      #expect((0..<plain.count).map { list.item(at: $0) } == plain)
      #expect(list.item(at: -1) == nil && list.item(at: plain.count) == nil)
      #expect(list.indices.map { list.rank(of: $0) } == Array(plain.indices))
      #expect(list.rank(of: list.endIndex) == plain.count)
    }
  }

  @Test("pieces have 512 items at most")
  func usual() {
    var list = SharedList<Int>(0..<512)
    #expect(list.pieceCount == 1)
    list.append(512)
    #expect(list.pieceCount == 2 && list.count == 513)
  }
}
