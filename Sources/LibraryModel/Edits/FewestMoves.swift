/// The fewest single moves that turn one order into another: everything on a longest increasing
/// subsequence stays, the rest moves, and fewer is impossible.
///
/// - Returns: in the order to be done, what moves and behind what; nil is the top.
func fewestMoves<Item: Hashable>(
  from old: [Item], to new: [Item]
) -> [(item: Item, after: Item?)] {
  precondition(old.count == new.count, "the same items in another order")
  var first = 0
  while first < old.count, old[first] == new[first] { first += 1 }
  if first == old.count { return [] }
  var end = old.count
  while old[end - 1] == new[end - 1] { end -= 1 }

  var rank: [Item: Int] = [:]
  rank.reserveCapacity(end - first)
  for place in first..<end { rank[old[place]] = place }
  let ranks = new[first..<end].map { item in
    guard let place = rank[item] else { preconditionFailure("the same items in another order") }
    return place
  }
  let stays = longestIncreasing(ranks)
  var moves: [(item: Item, after: Item?)] = []
  for place in first..<end where !stays[place - first] {
    moves.append((new[place], place == 0 ? nil : new[place - 1]))
  }
  return moves
}

/// Which members are on one longest increasing subsequence.
func longestIncreasing(_ values: [Int]) -> [Bool] {
  // tails[k]: where the smallest end of an increasing run of k + 1 members stands.
  var tails: [Int] = []
  var previous = [Int](repeating: -1, count: values.count)
  for (place, value) in values.enumerated() {
    var low = 0
    var high = tails.count
    while low < high {
      let middle = (low + high) / 2
      if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
    }
    if low > 0 { previous[place] = tails[low - 1] }
    if low == tails.count { tails.append(place) } else { tails[low] = place }
  }
  var isMember = [Bool](repeating: false, count: values.count)
  var place = tails.last ?? -1
  while place >= 0 {
    isMember[place] = true
    place = previous[place]
  }
  return isMember
}
