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
