import TestSupport
import Testing

@testable import LibraryModel

@Suite("Position keys over many operations", .limited)
struct PositionsRandomTests {
  /// The model: rows in the list's order, as a table would have them, and nothing but what it is
  /// told to write.
  struct Table {
    var rows: [(item: Int, key: Int64)]
    var nextItem: Int

    init(_ keys: PositionKeys) {
      rows = keys.all.enumerated().map { ($0.offset, $0.element) }
      nextItem = rows.count
    }

    mutating func insert(_ block: Int, at position: Int) {
      let new = (0..<block).map { (item: nextItem + $0, key: Int64.min) }
      rows.insert(contentsOf: new, at: position)
      nextItem += block
    }

    mutating func remove(_ positions: Range<Int>) -> ArraySlice<(item: Int, key: Int64)> {
      let removed = rows[positions]
      rows.removeSubrange(positions)
      return removed
    }

    /// Each row once, and only with a key that it hasn't.
    mutating func write(_ new: [PositionKeys.NewKey], _ comment: Comment) {
      #expect(zip(new, new.dropFirst()).allSatisfy { $0.position < $1.position }, comment)
      for row in new {
        #expect(rows[row.position].key != row.key, comment)
        rows[row.position].key = row.key
      }
    }
  }

  /// Starting length, how many operations, and the chunks' limit: small ones split and join often.
  @Test(
    "a table that follows any operations has the list's order",
    arguments: [(0, 1_500, 4), (20, 1_500, 8), (900, 600, 16), (3_000, 600, 64)])
  func random(count: Int, operations: Int, limit: Int) {
    var generator = SeededGenerator(usually: UInt64(20_400 + count))
    let seed = "\(generator)"
    var keys = PositionKeys(fresh: count, chunkLimit: limit)
    var table = Table(keys)
    var renumbered = 0
    // Inserts happen at one spot for a while, so that its gap closes.
    var spot = count / 2
    for operation in 0..<operations {
      let comment: Comment = "\(seed), operation \(operation)"
      if Int.random(in: 0..<200, using: &generator) == 0 {
        spot = Int.random(in: 0...keys.count, using: &generator)
      }
      let place = Int.random(in: 0...keys.count, using: &generator)
      let length = Int.random(in: 0...min(5, keys.count - place), using: &generator)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        let most = min(keys.count - place, Int.random(in: 0...40, using: &generator))
        keys.remove(place..<place + most)
        _ = table.remove(place..<place + most)
      case 1, 2:
        let destination = Int.random(in: 0...keys.count - length, using: &generator)
        let moved = table.remove(place..<place + length)
        table.rows.insert(contentsOf: moved, at: destination)
        table.write(keys.move(place..<place + length, to: destination), comment)
      default:
        let block = [0, 1, 1, 1, 2, 9].randomElement(using: &generator) ?? 1
        let place = min(spot, keys.count)
        table.insert(block, at: place)
        let new = keys.insert(block, at: place)
        renumbered += new.count - block
        table.write(new, comment)
      }
      #expect(keys.count == table.rows.count, comment)
      let all = keys.all
      #expect(all == table.rows.map(\.key), comment)
      #expect(zip(all, all.dropFirst()).allSatisfy(<), comment)
      if let place = all.indices.randomElement(using: &generator) {
        #expect(keys[place] == all[place], comment)
        #expect(keys.position(of: all[place]) == place, comment)
      }
    }
    #expect(renumbered > 0, "no gap closed: \(seed)")
  }

  enum Pattern: CaseIterable {
    case afterOneItem, beforeOneItem, zigZag
    case prepending, appending, random

    var isAtOneSpot: Bool {
      switch self {
      case .afterOneItem, .beforeOneItem, .zigZag: true
      case .prepending, .appending, .random: false
      }
    }
  }

  @Test("As many inserts as a list is long renumber few rows", arguments: Pattern.allCases)
  func contract(pattern: Pattern) {
    let count = Effort.runs(20_000, nightly: 100_000)
    var generator = SeededGenerator(usually: 20_408)
    var keys = PositionKeys(count: count)
    var renumbered = 0
    var latest = count / 2
    for number in 0..<count {
      switch pattern {
      case .afterOneItem: break
      case .beforeOneItem: latest += 1
      case .zigZag: latest += number % 2
      case .prepending: latest = 0
      case .appending: latest = keys.count
      case .random: latest = Int.random(in: 0...keys.count, using: &generator)
      }
      let new = keys.insert(at: latest)
      renumbered += new.count - 1
      if !isOrdered(keys, around: new) || !new.contains(where: { $0.position == latest }) {
        Issue.record("insert \(number) at \(latest) is out of order: \(generator)")
        return
      }
    }
    #expect(keys.count == 2 * count)
    let all = keys.all
    #expect(zip(all, all.dropFirst()).allSatisfy(<))
    if pattern.isAtOneSpot {
      let average = Double(renumbered) / Double(count)
      #expect(average < 20)
      #expect(average > 1, "the gap never closed")
    } else {
      #expect(renumbered == 0, "\(generator)")
    }
  }

  /// Whether those with new keys stand between their neighbours: the others stood so before. One
  /// expectation for each row would take longer than all the inserts.
  private func isOrdered(_ keys: PositionKeys, around new: [PositionKeys.NewKey]) -> Bool {
    for (number, row) in new.enumerated() {
      let isRunOn = number > 0 && new[number - 1].position + 1 == row.position
      if row.position > 0 {
        let above = isRunOn ? new[number - 1].key : keys[row.position - 1]
        if above >= row.key { return false }
      }
      let runsOn = number + 1 < new.count && new[number + 1].position == row.position + 1
      if !runsOn, row.position + 1 < keys.count, keys[row.position + 1] <= row.key {
        return false
      }
    }
    return true
  }
}
