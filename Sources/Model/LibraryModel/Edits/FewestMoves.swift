/// The fewest single moves that turn one order into another: everything on a longest increasing
/// subsequence stays, the rest moves, and fewer is impossible.
///
/// - Parameter chosen: what the person named, which alone may move: to have moved is to count as
///   touched. The others are in the same order in both lists. Empty where anything may move.
/// - Returns: in the order to be done, what moves and behind what; nil is the top.
package func fewestMoves<Item: Hashable>(
  from old: [Item], to new: [Item], chosen: Set<Item> = []
) -> [(item: Item, after: Item?)] {
  precondition(old.count == new.count, "the same items in another order")
  var first = 0
  while first < old.count, old[first] == new[first] { first += 1 }
  if first == old.count { return [] }
  var end = old.count
  while old[end - 1] == new[end - 1] { end -= 1 }
  func mayMove(_ item: Item) -> Bool { chosen.isEmpty || chosen.contains(item) }
  if let moves = swapOfNeighbours(old, new, first..<end, mayMove) { return moves }

  var rank: [Item: Int] = [:]
  rank.reserveCapacity(end - first)
  for place in first..<end { rank[old[place]] = place - first }
  let ranks = new[first..<end].map { item in
    guard let place = rank[item] else { preconditionFailure("the same items in another order") }
    return place
  }
  let stays = longestIncreasing(ranks) { !mayMove(new[first + $0]) }
  var moves: [(item: Item, after: Item?)] = []
  for place in first..<end where !stays[place - first] {
    moves.append((new[place], place == 0 ? nil : new[place - 1]))
  }
  return moves
}

/// The moves where all that differs is that two stretches changed places, as after nearly every
/// edit: then it takes no search to see which one moves, the shorter where both may. Nil where that
/// is not so.
private func swapOfNeighbours<Item: Hashable>(
  _ old: [Item], _ new: [Item], _ range: Range<Int>, _ mayMove: (Item) -> Bool
) -> [(item: Item, after: Item?)]? {
  guard let middle = old[range].firstIndex(of: new[range.lowerBound]) else { return nil }
  let (upper, lower) = (range.lowerBound..<middle, middle..<range.upperBound)
  let border = range.lowerBound + lower.count
  guard new[range.lowerBound..<border] == old[lower], new[border..<range.upperBound] == old[upper]
  else { return nil }
  let movesLower =
    old[lower].allSatisfy(mayMove)
    && (lower.count < upper.count || !old[upper].allSatisfy(mayMove))
  let moving = movesLower ? range.lowerBound..<border : border..<range.upperBound
  return moving.map { place in (new[place], place == 0 ? nil : new[place - 1]) }
}

/// The order after the items of a text that says nothing of others were brought together: those
/// already there stay where their order agrees with the text's, and only the others move. The first
/// one, where it is there, stays.
///
/// - Parameters:
///   - now: the list.
///   - written: different items, of which some may come from elsewhere.
///   - isHidden: whether an item is in no text and goes with what stands above it.
/// - Returns: the list then, and what moved.
func broughtTogether<Item: Hashable>(
  _ now: [Item], _ written: [Item], isHidden: (Item) -> Bool
) -> (goal: [Item], moved: Set<Item>) {
  let named = Set(written)
  let rank = Dictionary(
    uniqueKeysWithValues: now.filter(named.contains).enumerated().map { ($1, $0) })
  let here = written.filter { rank[$0] != nil }
  let stays = longestIncreasing(here.compactMap { rank[$0] }) { here[$0] == written.first }
  let moving = named.subtracting(zip(here, stays).filter(\.1).map(\.0))
  return rearranged(now, written, moving: moving, isHidden: isHidden)
}

/// The order after some items of a text moved in a list, or into it: each goes behind the nearest
/// one above it in the text that stays and is there, and to the top where there is none.
///
/// - Parameters:
///   - moving: the items of the text that don't stay where they are.
///   - isHidden: whether an item is in no text and goes with what stands above it.
/// - Returns: the list then, and what moved.
func rearranged<Item: Hashable>(
  _ now: [Item], _ written: [Item], moving: Set<Item>, isHidden: (Item) -> Bool = { _ in false }
) -> (goal: [Item], moved: Set<Item>) {
  let named = Set(written)
  var following: [Item: [Item]] = [:]
  var rest: [Item] = []
  var leader: Item?
  for item in now {
    if moving.contains(item) {
      leader = item
    } else if let above = leader, !named.contains(item), isHidden(item) {
      following[above, default: []].append(item)
    } else {
      leader = nil
      rest.append(item)
    }
  }
  // Behind each that stays, or on top, the run of those that come behind it.
  let staying = Set(rest)
  var runs: [Item?: [Item]] = [:]
  var anchor: Item?
  for item in written {
    if moving.contains(item) {
      runs[anchor, default: []] += [item] + (following[item] ?? [])
    } else if staying.contains(item) {
      anchor = item
    }
  }
  let goal = (runs[nil] ?? []) + rest.flatMap { [$0] + (runs[$0] ?? []) }
  return (goal, moving.union(following.values.joined()))
}

/// Which members of a permutation of 0..<n are on one longest increasing subsequence among those
/// that hold all the pinned places.
///
/// - Parameter isPinned: whether what stands at the place has to be a member; these increase.
func longestIncreasing(_ values: [Int], isPinned: (Int) -> Bool = { _ in false }) -> [Bool] {
  // What fits between all the pinned: a longest subsequence of that has every one of those.
  var fits = [Bool](repeating: true, count: values.count)
  let pins = values.indices.filter(isPinned)
  var next = pins.makeIterator()
  var (below, above) = (-1, next.next())
  for (place, value) in values.enumerated() {
    if place == above {
      (below, above) = (value, next.next())
    } else {
      fits[place] = value > below && value < above.map { values[$0] } ?? values.count
    }
  }

  // A Fenwick tree over the values: the best subsequence that ends with a value below.
  var best = [(length: Int, place: Int)](repeating: (0, -1), count: values.count + 1)
  var previous = [Int](repeating: -1, count: values.count)
  var last = (length: 0, place: -1)
  for (place, value) in values.enumerated() where fits[place] {
    var below = (length: 0, place: -1)
    var node = value
    while node > 0 {
      if best[node].length > below.length { below = best[node] }
      node &= node - 1
    }
    previous[place] = below.place
    let length = below.length + 1
    if length > last.length { last = (length, place) }
    node = value + 1
    while node <= values.count {
      if best[node].length < length { best[node] = (length, place) }
      node += node & -node
    }
  }
  var isMember = [Bool](repeating: false, count: values.count)
  var place = last.place
  while place >= 0 {
    isMember[place] = true
    place = previous[place]
  }
  return isMember
}
