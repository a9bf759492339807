/// That an item of a list was moved: behind what, and behind what it was; nil is the top.
struct ListMove<Item: Hashable> {
  var item: Item
  var after: Item?
  var wasAfter: Item?
}

/// The order of a list when moves of its items are taken back, the last one first. Each item that
/// was moved stands where it stood then, behind its former predecessor; the others stay.
///
/// What a move says was above its item may have been put there by the move before it. Where others
/// have reordered the list since, it is somewhere else by now. Then the items are first put where
/// the moves had put them.
func takenBack<Item: Hashable>(_ moves: [ListMove<Item>], in list: [Item]) -> [Item] {
  let now = MovableOrder(list)
  let back = now.takingBack(moves)
  return (back.making(moves) == now ? back : now.making(moves).takingBack(moves)).items
}

/// An order in which an item moves as fast as ever, however long it is.
private struct MovableOrder<Item: Hashable>: Equatable {
  /// What stands behind each item; behind nil, the first.
  private var next: [Item?: Item] = [:]
  private var previous: [Item: Item?] = [:]

  init(_ items: [Item]) {
    var last: Item?
    for item in items {
      (next[last], previous[item]) = (item, last)
      last = item
    }
  }

  var items: [Item] {
    Array(
      sequence(state: Item?.none) { last in
        last = next[last]
        return last
      })
  }

  func making(_ moves: [ListMove<Item>]) -> Self {
    var order = self
    for move in moves { order.put(move.item, after: move.after) }
    return order
  }

  func takingBack(_ moves: [ListMove<Item>]) -> Self {
    var order = self
    for move in moves.reversed() { order.put(move.item, after: move.wasAfter) }
    return order
  }

  /// Behind an item that is not there any more is the top.
  private mutating func put(_ item: Item, after anchor: Item?) {
    guard let above = previous[item] else { return }
    let anchor = anchor.flatMap { previous[$0] != nil && $0 != item ? $0 : nil }
    if anchor == above { return }
    let below = next.removeValue(forKey: item)
    next[above] = below
    if let below { previous[below] = .some(above) }
    let follower = next[anchor]
    (next[anchor], previous[item]) = (item, .some(anchor))
    next[item] = follower
    if let follower { previous[follower] = .some(item) }
  }
}
