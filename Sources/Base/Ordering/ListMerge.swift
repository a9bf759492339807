/// The result of a merge of lists.
@usableFromInline
package struct Merged<Item: Hashable> {
  /// The list as it shall be.
  package let goal: [Item]
  /// The items that the edit moved or brought, in the order in which they are wanted.
  package let moved: [Item]
  /// The moved items, and the hidden ones that go with them. No other item needs to move: a moved
  /// album counts as touched by the user.
  package let carried: Set<Item>

  @usableFromInline
  init(goal: [Item], moved: [Item], carried: Set<Item>) {
    (self.goal, self.moved, self.carried) = (goal, moved, carried)
  }
}

/// Merges an edit of a list with what the list has become meanwhile: a three-way merge.
///
/// 1. The edit is the fewest moves that turn `base` into `wanted`, and the items that only `wanted`
///    has: `abcd` written as `adbcX` moves d, and brings X.
/// 2. An item of `base` that `wanted` leaves out, and that is still there, is wanted directly
///    behind the item that it followed in `base`: `axbc` written as `cab` is `caxb`. If it followed
///    none that is wanted, it stays.
/// 3. Nothing else moves. A hidden item was not shown to the editor, is not in `wanted`, and moves
///    with the item that it stands below.
/// 4. Each moved item goes directly behind the nearest item above it in `wanted` that is there, and
///    to the top if there is none. It comes from wherever it is by now.
///
/// To undo a change that others followed is such a merge, too: `base` is the order after the
/// change, and `wanted` the order before it. Costs O(n log n).
///
/// - Parameters:
///   - base: the list as it was read.
///   - wanted: the list as it was written. Every item of it exists.
///   - now: the list as it is.
///   - chosen: the items of `base` that may count as moved; nil: all.
///   - isHidden: whether an item of `now` was not shown to the editor.
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

  // The moved items, each with the hidden ones below it, leave the rest.
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
  // By the item that stays, or nil for the top: the blocks that come directly behind it.
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

/// The wanted list, with the items that it leaves out behind the ones that they followed.
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
