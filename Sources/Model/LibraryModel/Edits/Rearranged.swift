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
