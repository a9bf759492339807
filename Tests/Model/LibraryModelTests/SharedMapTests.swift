import TestSupport
import Testing

@testable import LibraryModel

@Suite("A map that copies share", .limited)
struct SharedMapTests {
  /// How many keys have the same hash, and how many keys there are: what fills a leaf that can't be
  /// split, and what is split again and again. Which of them share a leaf is another matter in each
  /// process; SWIFT_DETERMINISTIC_HASHING=1 makes it the same.
  static let cases = [(1, 50), (1, 5_000), (10, 1_000), (200, 2_000)]

  @Test("with plain values is what a dictionary is, and so are its copies", arguments: cases)
  func plainValues(alike: Int, keys: Int) {
    check(SharedMap<Key, Int32>(), alike: alike, keys: keys) { Int32($0) }
  }

  @Test("with objects is what a dictionary is, and so are its copies", arguments: cases)
  func objects(alike: Int, keys: Int) {
    check(SharedMap<Key, Object>(), alike: alike, keys: keys) { Object(number: $0) }
  }

  private func check<Value: Hashable & Sendable>(
    _ empty: SharedMap<Key, Value>, alike: Int, keys: Int, value: (Int) -> Value
  ) {
    var generator = SeededGenerator(usually: UInt64(8_100 + alike + keys))
    var map = empty
    var plain: [Key: Value] = [:]
    var copies: [(map: SharedMap<Key, Value>, plain: [Key: Value])] = []
    var isGrowing = true
    for operation in 0..<20_000 {
      let comment: Comment = "\(generator), operation \(operation)"
      if Int.random(in: 0..<2_000, using: &generator) == 0 { isGrowing.toggle() }
      let key = Key(number: Int.random(in: 0..<keys, using: &generator), alike: alike)
      let isSet = Int.random(in: 0..<4, using: &generator) == 0 ? !isGrowing : isGrowing
      let new = isSet ? value(operation) : nil
      map[key] = new
      plain[key] = new
      if operation % 1_000 == 0 {
        expectSame(map, plain, keys, alike, comment)
        copies.append((map, plain))
      }
    }
    // About every other one, of a map of which there are copies.
    let chosen = Set(plain.values.filter { _ in Bool.random(using: &generator) })
    let other = value(-1)
    map.replaceValues { chosen.contains($0) ? other : nil }
    expectSame(
      map, plain.mapValues { chosen.contains($0) ? other : $0 }, keys, alike,
      "\(generator), replaced")
    let another = value(-2)
    var parts = map.takeParts()
    #expect(parts.count == 1 || parts.count == 8)
    for place in parts.indices { parts[place].replaceValues { $0 == other ? another : nil } }
    map.putBack(parts)
    expectSame(
      map, plain.mapValues { chosen.contains($0) ? another : $0 }, keys, alike,
      "\(generator), replaced in parts")
    for copy in copies { expectSame(copy.map, copy.plain, keys, alike, "\(generator), a copy") }
    for key in Array(plain.keys) { map[key] = nil }
    expectSame(map, [:], keys, alike, "\(generator), emptied")
    #expect(map.nodeCount == 1, "\(generator), emptied")
  }

  private func expectSame<Value: Equatable>(
    _ map: SharedMap<Key, Value>, _ plain: [Key: Value], _ keys: Int, _ alike: Int,
    _ comment: Comment
  ) {
    #expect(map.count == plain.count && map.isEmpty == plain.isEmpty, comment)
    let wrong = (-1...keys).map { Key(number: $0, alike: alike) }.filter { map[$0] != plain[$0] }
    #expect(wrong.isEmpty, comment)
    var visited: [Key: Value] = [:]
    map.forEach { key, value in
      #expect(visited.updateValue(value, forKey: key) == nil, comment)
    }
    #expect(visited == plain && map.values.count == plain.count, comment)
  }

  @Test("says what was changed since a copy was made, and little more", arguments: cases)
  func changes(alike: Int, keys: Int) {
    var generator = SeededGenerator(usually: UInt64(8_200 + alike + keys))
    var map = SharedMap<Key, Int>()
    for number in 0..<keys { map[Key(number: number, alike: alike)] = number }
    for changes in [0, 1, 10, keys] {
      let former = map
      var changed: Set<Key> = []
      for _ in 0..<changes {
        let key = Key(number: Int.random(in: 0..<2 * keys, using: &generator), alike: alike)
        let isSet = Bool.random(using: &generator)
        map[key] = isSet ? -Int.random(in: 1..<1_000_000, using: &generator) : nil
        changed.insert(key)
      }
      var told: Set<Key> = []
      map.forEach(changedSince: former) { key, value in
        #expect(told.insert(key).inserted && map[key] == value, "\(generator)")
      }
      let missed = changed.filter { map[$0] != former[$0] && map[$0] != nil && !told.contains($0) }
      #expect(missed.isEmpty, "\(generator)")
      // A leaf, and that of a branch that became one.
      #expect(told.count <= changes * 64 * alike, "\(generator)")
    }
  }

  @Test("splits leaves of keys with one hash as long as the hash has bits, and joins them again")
  func oneHash() {
    var map = SharedMap<Key, Object>()
    for number in 0..<32 { map[Key(number: number, alike: 99)] = Object(number: number) }
    #expect(map.nodeCount == 1)
    map[Key(number: 32, alike: 99)] = Object(number: 32)
    // 21 branches of eight, one below the other: 63 bits.
    #expect(map.nodeCount == 21 * 8 + 1 && map.count == 33)
    for number in 33..<40 { map[Key(number: number, alike: 99)] = Object(number: number) }
    #expect(map.nodeCount == 21 * 8 + 1)
    for number in 17..<40 { map[Key(number: number, alike: 99)] = nil }
    #expect(map.nodeCount == 21 * 8 + 1)
    // Half of a leaf.
    map[Key(number: 16, alike: 99)] = nil
    #expect(map.nodeCount == 1 && map.count == 16)
  }

  @Test("says whether a key is new")
  func news() {
    var map = SharedMap<Int, String>()
    let firsts = (0..<100).map { map.set($0, "first") }
    let seconds = (0..<100).map { map.set($0, "second") }
    #expect(firsts.allSatisfy { $0 } && !seconds.contains(true))
    #expect(map.count == 100 && map.values.allSatisfy { $0 == "second" })
  }

  private struct Key: Hashable, BitwiseCopyable {
    var number: Int
    var alike: Int

    func hash(into hasher: inout Hasher) { hasher.combine(number / alike) }
  }

  private final class Object: Hashable, Sendable {
    let number: Int

    init(number: Int) { self.number = number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }

    static func == (left: Object, right: Object) -> Bool { left.number == right.number }
  }
}
