/// What a merge of lists comes to.
@usableFromInline
package struct Merged<Item: Hashable> {
  /// The list as it shall be.
  package let goal: [Item]
  /// What was moved or brought, in the order in which it is wanted.
  package let moved: [Item]
  /// All that stands elsewhere than now: the moved, and what is hidden and goes with them. Nothing
  /// else needs to move, and to have moved is to count as touched.
  package let carried: Set<Item>

  @usableFromInline
  init(goal: [Item], moved: [Item], carried: Set<Item>) {
    (self.goal, self.moved, self.carried) = (goal, moved, carried)
  }
}

/// Merges what somebody did to a list with what became of it meanwhile.
///
/// 1. What they moved is the fewest moves that turn `base` into `wanted`, and what they brought:
///    `abcd` wanted as `adbcX` is a move of d, and X.
/// 2. What they left out, and is there now, is wanted behind what it stood behind: `abc` wanted as
///    `cb` is a move of c. What stood behind nothing that is wanted was not meant.
/// 3. Nothing else moves. What is hidden is no part of `wanted`, and goes with the moved thing that
///    it stands below.
/// 4. Each moved thing goes directly behind the nearest one above it in `wanted` that is there, and
///    to the top where there is none. It comes from wherever it is by now.
///
/// Undo of a change that others came after is such a merge, too: `base` is the order after it, and
/// `wanted` the one before it. Costs O(n log n).
///
/// - Parameters:
///   - base: the list as it was read.
///   - wanted: the list as it was written. All of it exists.
///   - now: the list as it is.
///   - chosen: what of `base` may count as moved; nil: all.
///   - isHidden: whether an item of `now` was not shown to whoever wrote.
@inlinable
package func merge<Item: Hashable>(
  base: [Item], wanted: [Item], now: [Item], chosen: Set<Item>? = nil,
  isHidden: (Item) -> Bool = { _ in false }
) -> Merged<Item> {
  let here = Set(now)
  let wanted = puttingBack(base, into: wanted) { here.contains($0) }
  let moved = fewestMoves(from: base, to: wanted, chosen: chosen).map(\.item)
  let moving = Set(moved)
  let named = Set(wanted)

  // What moves, each with what is hidden below it, leaves the rest.
  var blocks: [Item: [Item]] = [:]
  var rest: [Item] = []
  var leader: Item?
  for item in now {
    if moving.contains(item) {
      leader = item
    } else if let above = leader, !named.contains(item), isHidden(item) {
      blocks[above, default: []].append(item)
    } else {
      leader = nil
      rest.append(item)
    }
  }
  let carried = moving.union(blocks.values.joined())
  // Behind each thing that stays, or at the top, those that come behind it.
  var runs: [Item?: [Item]] = [:]
  var anchor: Item?
  for item in wanted {
    if moving.contains(item) {
      runs[anchor, default: []] += [item] + (blocks[item] ?? [])
    } else if here.contains(item) {
      anchor = item
    }
  }
  let goal = (runs[nil] ?? []) + rest.flatMap { [$0] + (runs[$0] ?? []) }
  return Merged(goal: goal, moved: moved, carried: carried)
}

/// What is wanted, with what was left out of it behind what it stood behind.
@inlinable
func puttingBack<Item: Hashable>(
  _ base: [Item], into wanted: [Item], where isHere: (Item) -> Bool
) -> [Item] {
  let named = Set(wanted)
  var followers: [Item: [Item]] = [:]
  var above: Item?
  for item in base {
    if named.contains(item) {
      above = item
    } else if let above, isHere(item) {
      followers[above, default: []].append(item)
    }
  }
  return followers.isEmpty ? wanted : wanted.flatMap { [$0] + (followers[$0] ?? []) }
}
