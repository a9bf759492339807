import Ordering
import TestSupport
import Testing

@testable import LibraryModel

@Suite("A list that copies share", .limited)
struct SharedListTests {
  private func expectSame(
    _ list: SharedList<Int>, _ plain: [Int], _ comment: Comment
  ) {
    #expect(list.count == plain.count, comment)
    #expect(Array(list) == plain, comment)
    #expect(list.indices.map { list[$0] } == plain, comment)
    // Without the type, it would be an array made from the top.
    let reversed: ReversedCollection<SharedList<Int>> = list.reversed()
    #expect(reversed.elementsEqual(plain.reversed()), comment)
    #expect(plain.map { list.firstIndex(of: $0) } == Array(list.indices), comment)
    #expect(zip(list.indices, list.indices.dropFirst()).allSatisfy { $0 < $1 }, comment)
    #expect(list.firstIndex(of: -1) == nil && !list.contains(-1), comment)
    #expect((-1...plain.count).map { list.item(at: $0) } == [nil] + plain + [nil], comment)
    #expect(list.indices.map { list.rank(of: $0) } == Array(plain.indices), comment)
    #expect(list.rank(of: list.endIndex) == plain.count, comment)
    #expect(list == SharedList(plain), comment)
  }

  /// Operations, and the limit of the pieces: small ones are split and joined often.
  @Test(
    "is what an array is after any changes, and so are its copies",
    arguments: [(1_500, 4), (1_500, 8), (3_000, 16), (3_000, 512)])
  func random(operations: Int, limit: Int) throws {
    var generator = SeededGenerator(usually: UInt64(7_300 + limit))
    var list = SharedList<Int>(limit: limit)
    var plain: [Int] = []
    var copies: [(list: SharedList<Int>, plain: [Int])] = []
    var isGrowing = true
    var (refused, unrefused) = (0, 0)
    for operation in 0..<operations {
      let comment: Comment = "\(generator), operation \(operation)"
      if Int.random(in: 0..<200, using: &generator) == 0 { isGrowing.toggle() }
      let isInsertion = Int.random(in: 0..<4, using: &generator) == 0 ? !isGrowing : isGrowing
      if isInsertion || plain.isEmpty {
        // Often at an end.
        let places = [0, plain.count, Int.random(in: 0...plain.count, using: &generator)]
        let place = try #require(places.randomElement(using: &generator))
        if place == plain.count, Bool.random(using: &generator) {
          list.append(operation)
        } else {
          refused += list.insert(operation, after: place == 0 ? nil : plain[place - 1]) ? 0 : 1
        }
        plain.insert(operation, at: place)
        unrefused += list.insert(-2, after: -1) ? 1 : 0
      } else if Bool.random(using: &generator) {
        let item = plain.remove(at: Int.random(in: plain.indices, using: &generator))
        let place = Int.random(in: 0...plain.count, using: &generator)
        refused += list.move(item, after: place == 0 ? nil : plain[place - 1]) ? 0 : 1
        for (item, anchor) in [(item, item), (item, -1), (-1, item)] {
          unrefused += list.move(item, after: anchor) ? 1 : 0
        }
        plain.insert(item, at: place)
      } else {
        let item = plain.remove(at: Int.random(in: plain.indices, using: &generator))
        refused += list.remove(item) ? 0 : 1
        unrefused += list.remove(item) ? 1 : 0
      }
      if operation % 100 == 0 {
        expectSame(list, plain, comment)
        #expect(list.pieceCount <= 2 + 8 * plain.count / limit, comment)
        copies.append((list, plain))
      }
    }
    #expect(refused == 0 && unrefused == 0, "\(generator)")
    for copy in copies { expectSame(copy.list, copy.plain, "a copy") }
    for item in plain { list.remove(item) }
    expectSame(list, [], "emptied")
  }

  @Test("What comes below the last of a full piece, again and again, gets no piece each")
  func belowFull() {
    for end in [1, 3] {
      var list = SharedList<Int>(limit: 8)
      for item in 0..<(8 * end) { list.append(item) }
      #expect(list.pieceCount == end)
      var plain = Array(0..<(8 * end))
      for item in 100..<164 {
        let isIn = list.insert(item, after: 7)
        #expect(isIn)
        plain.insert(item, at: 8)
      }
      expectSame(list, plain, "\(end) pieces at first")
      #expect(list.pieceCount <= end + 64 / 4, "\(end) pieces at first")
    }
  }

  @Test("A single move is the same in it as in an array")
  func moves() {
    let plain = Array(0..<11)
    var list = SharedList<Int>(limit: 4)
    for item in plain { list.append(item) }
    #expect(list.pieceCount == 3)
    var places: [Place<Int>] = [.top, .bottom, .up, .down]
    for anchor in plain { places += [.before(anchor), .after(anchor)] }
    for item in plain {
      for place in places where place != .before(item) && place != .after(item) {
        let isListed: (Int) -> Bool = { $0 == item || !$0.isMultiple(of: 3) }
        let gap = list.gap(for: [item], at: place, isListed: isListed)
        let distance = gap.map { list.distance(from: list.startIndex, to: $0) }
        #expect(distance == plain.gap(for: [item], at: place, isListed: isListed))
        let above = gap.flatMap { element(above: $0, in: list) }
        let goal = placing([item], at: place, in: plain, isListed: isListed)
        if goal != plain { #expect(above == predecessor(of: item, in: goal)) }
        #expect(predecessor(of: item, in: list) == predecessor(of: item, in: plain))
      }
    }
  }
}
