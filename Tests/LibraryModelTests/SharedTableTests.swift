import TestSupport
import Testing

@testable import LibraryModel

@Suite("A table that copies share")
struct SharedTableTests {
  /// How many keys have the same hash, and how many keys there are: what fills a leaf that can't be
  /// split, and what is split again and again. Which of them share a leaf is another matter in each
  /// process; SWIFT_DETERMINISTIC_HASHING=1 makes it the same.
  @Test(
    "is what a dictionary is after any changes, and so are its copies",
    arguments: [(1, 50), (1, 5_000), (10, 1_000), (200, 2_000)])
  func random(alike: Int, keys: Int) {
    var generator = SeededGenerator(usually: UInt64(8_100 + alike + keys))
    var table = SharedTable<Key, Int32>()
    var plain: [Key: Int32] = [:]
    var copies: [(table: SharedTable<Key, Int32>, plain: [Key: Int32])] = []
    var isGrowing = true
    for operation in 0..<20_000 {
      let comment: Comment = "\(generator), operation \(operation)"
      if Int.random(in: 0..<2_000, using: &generator) == 0 { isGrowing.toggle() }
      let key = Key(number: Int.random(in: 0..<keys, using: &generator), alike: alike)
      let isSet = Int.random(in: 0..<4, using: &generator) == 0 ? !isGrowing : isGrowing
      let value = isSet ? Int32(operation) : nil
      table[key] = value
      plain[key] = value
      if operation % 1_000 == 0 {
        expectSame(table, plain, keys, alike, comment)
        copies.append((table, plain))
      }
    }
    for copy in copies { expectSame(copy.table, copy.plain, keys, alike, "\(generator), a copy") }
    for key in Array(plain.keys) { table[key] = nil }
    expectSame(table, [:], keys, alike, "\(generator), emptied")
  }

  private func expectSame(
    _ table: SharedTable<Key, Int32>, _ plain: [Key: Int32], _ keys: Int, _ alike: Int,
    _ comment: Comment
  ) {
    #expect(table.count == plain.count, comment)
    let wrong = (-1...keys).map { Key(number: $0, alike: alike) }.filter { table[$0] != plain[$0] }
    #expect(wrong.isEmpty, comment)
  }

  private struct Key: Hashable, BitwiseCopyable {
    var number: Int
    var alike: Int

    func hash(into hasher: inout Hasher) { hasher.combine(number / alike) }
  }
}
