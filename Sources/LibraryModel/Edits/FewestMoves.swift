/// The fewest single moves that turn one order into another: everything on a longest increasing
/// subsequence stays, the rest moves, and fewer is impossible. Of equally short ways the one that
/// moves most of the chosen items, since those are what the person moved.
///
/// - Returns: in the order to be done, what moves and behind what; nil is the top.
func fewestMoves<Item: Hashable>(
  from old: [Item], to new: [Item], chosen: Set<Item> = []
) -> [(item: Item, after: Item?)] {
  precondition(old.count == new.count, "the same items in another order")
  var first = 0
  while first < old.count, old[first] == new[first] { first += 1 }
  if first == old.count { return [] }
  var end = old.count
  while old[end - 1] == new[end - 1] { end -= 1 }
  if let moves = swapOfNeighbours(old, new, first..<end, chosen) { return moves }

  var rank: [Item: Int] = [:]
  rank.reserveCapacity(end - first)
  for place in first..<end { rank[old[place]] = place - first }
  let ranks = new[first..<end].map { item in
    guard let place = rank[item] else { preconditionFailure("the same items in another order") }
    return place
  }
  let stays = longestIncreasing(ranks) { chosen.contains(new[first + $0]) }
  var moves: [(item: Item, after: Item?)] = []
  for place in first..<end where !stays[place - first] {
    moves.append((new[place], place == 0 ? nil : new[place - 1]))
  }
  return moves
}

/// The moves where all that differs is that two stretches changed places, as after nearly every
/// edit: then it takes no search to see that the shorter one moves. Nil where that is not so.
private func swapOfNeighbours<Item: Hashable>(
  _ old: [Item], _ new: [Item], _ range: Range<Int>, _ chosen: Set<Item>
) -> [(item: Item, after: Item?)]? {
  guard let middle = old[range].firstIndex(of: new[range.lowerBound]) else { return nil }
  let (upper, lower) = (range.lowerBound..<middle, middle..<range.upperBound)
  let border = range.lowerBound + lower.count
  guard new[range.lowerBound..<border] == old[lower], new[border..<range.upperBound] == old[upper]
  else { return nil }
  func chosenCount(_ part: Range<Int>) -> Int { old[part].count(where: chosen.contains) }
  let movesLower =
    lower.count != upper.count
    ? lower.count < upper.count : chosenCount(lower) > chosenCount(upper)
  let moving = movesLower ? range.lowerBound..<border : border..<range.upperBound
  return moving.map { place in (new[place], place == 0 ? nil : new[place - 1]) }
}

/// Which members of a permutation of 0..<n are on one longest increasing subsequence; of several
/// the one with the fewest disliked members.
func longestIncreasing(_ values: [Int], isDisliked: (Int) -> Bool = { _ in false }) -> [Bool] {
  // A Fenwick tree over the values: the best subsequence that ends with a value below.
  var best = [(weight: Int, place: Int)](repeating: (0, -1), count: values.count + 1)
  var previous = [Int](repeating: -1, count: values.count)
  var last = (weight: 0, place: -1)
  for (place, value) in values.enumerated() {
    var below = (weight: 0, place: -1)
    var node = value
    while node > 0 {
      if best[node].weight > below.weight { below = best[node] }
      node &= node - 1
    }
    previous[place] = below.place
    // Any number of likes is worth less than one more member.
    let weight = below.weight + values.count + 1 + (isDisliked(place) ? 0 : 1)
    if weight > last.weight { last = (weight, place) }
    node = value + 1
    while node <= values.count {
      if best[node].weight < weight { best[node] = (weight, place) }
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
