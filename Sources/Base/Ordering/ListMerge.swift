/// The result of a merge of lists.
@usableFromInline
package struct Merged<Item: Hashable> {
  /// The merged list.
  package let goal: [Item]
  /// The items that the edit moved or added, in the wanted order.
  package let moved: [Item]
  /// The moved items, and the hidden items that move with them. No other item needs to move: a
  /// moved album counts as touched by the user.
  package let carried: Set<Item>

  @usableFromInline
  init(goal: [Item], moved: [Item], carried: Set<Item>) {
    (self.goal, self.moved, self.carried) = (goal, moved, carried)
  }
}

/// Merges an edit of a list with the changes that the list has had meanwhile: a three-way merge.
///
/// 1. The edit is the fewest moves that turn `base` into `wanted`, and the items that only `wanted`
///    has: `abcd` written as `adbcX` moves d, and adds X.
/// 2. An item of `base` that `wanted` leaves out, and that still exists, is wanted directly behind
///    the item that it followed in `base`: `axbc` written as `cab` is `caxb`. If it followed no
///    wanted item, it stays.
/// 3. Nothing else moves. A hidden item was not shown to the editor and is not in `wanted`. It
///    moves with the item that it stands below.
/// 4. Each moved item goes directly behind the nearest item above it in `wanted` that exists, or to
///    the top. It may have been moved elsewhere meanwhile.
///
/// Undoing a change that was followed by others is such a merge, too: `base` is the order after the
/// change, and `wanted` the order before it. Costs O(n log n).
///
/// - Parameters:
///   - base: the list as the editor read it.
///   - wanted: the list as the editor wrote it. All of its items exist.
///   - now: the current list.
///   - chosen: the items of `base` that may count as moved. Nil: all.
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

  // Takes the moved items, each with the hidden ones below it, out of the list.
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
  // The blocks that go directly behind an item that stays. Nil is the top.
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

/// Returns the wanted list, with the omitted items behind those that they followed.
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
