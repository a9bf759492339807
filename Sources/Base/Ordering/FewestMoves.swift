/// Returns the fewest single moves that turn one order into another. Items on a longest increasing
/// subsequence stay, and all others move.
///
/// Equal items at both ends are only compared, and so are two blocks that have swapped places. Any
/// other n items cost O(n log n).
///
/// - Parameters:
///   - old: distinct items. Those that are not in the new order are ignored.
///   - new: distinct items. Those that are not in the old order come from elsewhere, and move.
///   - chosen: the items of the old order that may move. The others are in the same order in both.
///     Nil: all.
/// - Returns: each moved item and the item that it goes behind (nil: the top), in the order in
///   which to apply the moves.
@inlinable
package func fewestMoves<Item: Hashable>(
  from old: [Item], to new: [Item], chosen: Set<Item>? = nil
) -> [(item: Item, after: Item?)] {
  let shorter = min(old.count, new.count)
  var first = 0
  while first < shorter, old[first] == new[first] { first += 1 }
  var (oldEnd, newEnd) = (old.count, new.count)
  while oldEnd > first, newEnd > first, old[oldEnd - 1] == new[newEnd - 1] {
    (oldEnd, newEnd) = (oldEnd - 1, newEnd - 1)
  }
  let (before, after) = (old[first..<oldEnd], new[first..<newEnd])
  let moving = swapped(before, after, chosen) ?? offLongestRun(before, after, chosen)
  return moving.map { place in (new[place], place == 0 ? nil : new[place - 1]) }
}

/// Returns the places in `new` of the block that moved, where two adjacent blocks have swapped
/// places, as after nearly every edit. If both may move, it is the shorter one, or the upper one of
/// equal length. Nil for any other change.
@inlinable
func swapped<Item: Hashable>(
  _ old: ArraySlice<Item>, _ new: ArraySlice<Item>, _ chosen: Set<Item>?
) -> [Int]? {
  guard old.count == new.count, let head = new.first, let middle = old.firstIndex(of: head) else {
    return nil
  }
  let (upper, lower) = (old[..<middle], old[middle...])
  guard new.starts(with: lower), new.suffix(upper.count) == upper else { return nil }
  func mayMove(_ items: ArraySlice<Item>) -> Bool {
    chosen.map { items.allSatisfy($0.contains) } ?? true
  }
  let isLower = mayMove(lower) && (lower.count < upper.count || !mayMove(upper))
  return Array(isLower ? new.prefix(lower.count).indices : new.suffix(upper.count).indices)
}

/// Returns the places of the items that are not on a longest run common to both orders.
@inlinable
func offLongestRun<Item: Hashable>(
  _ old: ArraySlice<Item>, _ new: ArraySlice<Item>, _ chosen: Set<Item>?
) -> [Int] {
  let kept = Set(new)
  var ranks: [Item: Int] = [:]
  for item in old where kept.contains(item) { ranks[item] = ranks.count }
  let places = new.indices.filter { ranks[new[$0]] != nil }
  let stays = longestIncreasing(places.compactMap { ranks[new[$0]] }) { number in
    chosen?.contains(new[places[number]]) == false
  }
  let staying = Set(zip(places, stays).lazy.filter(\.1).map(\.0))
  return new.indices.filter { !staying.contains($0) }
}

/// Returns, for each place of a permutation of 0..<n, whether it is on one longest increasing
/// subsequence among those that contain all pinned places.
///
/// - Parameter isPinned: whether the place has to be a member. The ranks of pinned places increase.
@usableFromInline
package func longestIncreasing(
  _ ranks: [Int], isPinned: (Int) -> Bool = { _ in false }
) -> [Bool] {
  // A Fenwick tree over the ranks: the heaviest run that ends with a lower rank. A pinned member
  // outweighs any run without it.
  var best = [(weight: Int, place: Int)](repeating: (0, -1), count: ranks.count + 1)
  var previous = [Int](repeating: -1, count: ranks.count)
  var last = (weight: 0, place: -1)
  for (place, rank) in ranks.enumerated() {
    var below = (weight: 0, place: -1)
    var node = rank
    while node > 0 {
      if best[node].weight > below.weight { below = best[node] }
      node &= node - 1
    }
    previous[place] = below.place
    let weight = below.weight + (isPinned(place) ? ranks.count : 1)
    if weight > last.weight { last = (weight, place) }
    node = rank + 1
    while node <= ranks.count {
      if best[node].weight < weight { best[node] = (weight, place) }
      node += node & -node
    }
  }
  var isMember = [Bool](repeating: false, count: ranks.count)
  var place = last.place
  while place >= 0 {
    isMember[place] = true
    place = previous[place]
  }
  return isMember
}
