/// A list whose order is stored as keys in a table: it follows from one order to the next by the
/// fewest moves, so that few rows are written.
package struct KeyedList<Item: Hashable & Sendable>: Sendable {
  package private(set) var items: [Item] = []
  private var keys = PositionKeys()

  package init() {}

  /// The list as it was stored; nil if the keys don't strictly ascend or an item is there twice.
  /// Linear.
  package init?(_ items: [Item], keys stored: [Int64]) {
    guard items.count == stored.count, Set(items).count == items.count,
      let keys = PositionKeys(stored)
    else { return nil }
    self.items = items
    self.keys = keys
  }

  /// In the order of the items. Linear.
  package var allKeys: [Int64] { keys.all }

  /// Follows. What stands alike at both ends is only compared, and so is what lies between where a
  /// block has moved; any other n items between the ends cost O(n log n).
  ///
  /// - Returns: the keys that are new, in the order to write them, since a key may be renumbered
  ///   again, and all together, since some of them are no order; and which items are no longer in
  ///   the list.
  package mutating func become(
    _ new: [Item]
  ) -> (written: [(item: Item, key: Int64)], removed: [Item]) {
    if new == items { return ([], []) }
    let (first, oldEnd, newEnd) = difference(from: new)
    let (moving, removed) = movers(items[first..<oldEnd], new[first..<newEnd])

    var place = oldEnd
    while place > first {
      let end = place
      while place > first, moving.contains(items[place - 1]) { place -= 1 }
      keys.remove(place..<end)
      if place > first { place -= 1 }
    }
    var kept = items
    kept.replaceSubrange(
      first..<oldEnd, with: items[first..<oldEnd].filter { !moving.contains($0) })
    var written: [(item: Item, key: Int64)] = []
    var above = first
    place = first
    while place < newEnd {
      let start = place
      while place < newEnd, moving.contains(new[place]) { place += 1 }
      for row in keys.insert(place - start, at: start) {
        // Below the block there are only those that stay, so far.
        let item =
          row.position < place ? new[row.position] : kept[above + row.position - place]
        written.append((item, row.key))
      }
      if place < newEnd {
        place += 1
        above += 1
      }
    }
    items = new
    return (written, removed)
  }

  /// What lies between the ends that stand alike: from where, and to where in each of both.
  private func difference(from new: [Item]) -> (first: Int, oldEnd: Int, newEnd: Int) {
    let shorter = min(items.count, new.count)
    var first = 0
    while first < shorter, items[first] == new[first] { first += 1 }
    var (oldEnd, newEnd) = (items.count, new.count)
    while oldEnd > first, newEnd > first, items[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
    }
    return (first, oldEnd, newEnd)
  }

  /// The fewest items that come, go or move while the others stay where they are; and those that
  /// go.
  private func movers(
    _ old: ArraySlice<Item>, _ new: ArraySlice<Item>
  ) -> (moving: Set<Item>, removed: [Item]) {
    if let block = movedBlock(old, new) { return (Set(block), []) }
    let here = Set(new)
    let removed = old.filter { !here.contains($0) }
    var rank: [Item: Int] = [:]
    for item in old where here.contains(item) { rank[item] = rank.count }
    let common = new.filter { rank[$0] != nil }
    let stays = longestIncreasing(common.compactMap { rank[$0] })
    let staying = zip(common, stays).lazy.filter(\.1).map(\.0)
    return (here.union(removed).subtracting(staying), removed)
  }

  /// The shorter of two neighbouring blocks that have changed places; nil where something else
  /// happened.
  private func movedBlock(
    _ old: ArraySlice<Item>, _ new: ArraySlice<Item>
  ) -> ArraySlice<Item>? {
    guard old.count == new.count, let head = old.first, let split = new.firstIndex(of: head)
    else { return nil }
    let (upper, lower) = (new[..<split], new[split...])
    guard old.starts(with: lower), old.suffix(upper.count) == upper else { return nil }
    return upper.count < lower.count ? upper : lower
  }
}
