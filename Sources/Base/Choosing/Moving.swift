/// The order after the chosen ones have been moved together to a place. Pure position arithmetic,
/// the same for crates, albums and songs.
///
/// - Parameters:
///   - order: the complete list, gone ones included.
///   - chosen: members of the list; their order in the list is kept.
///   - isListed: whether an item is shown; `up` and `down` count shown ones only.
@inlinable
package func moving<Item: Hashable & Sendable>(
  _ chosen: Set<Item>, to place: Place<Item>, in order: [Item], isListed: (Item) -> Bool
) -> [Item] {
  if chosen.count == 1, let item = chosen.first {
    return movingOne(item, to: place, in: order, isListed: isListed)
  }
  let block = order.filter(chosen.contains)
  let rest = order.filter { !chosen.contains($0) }
  guard let first = block.first, let last = block.last else { return order }

  func inserting(at index: Int) -> [Item] {
    Array(rest[..<index]) + block + Array(rest[index...])
  }
  /// How many of the rest stand above the item.
  func restAbove(_ item: Item) -> Int {
    order.prefix { $0 != item }.count { !chosen.contains($0) }
  }

  switch place {
  case .top: return inserting(at: 0)
  case .bottom: return inserting(at: rest.count)
  case .before(let anchor): return inserting(at: rest.firstIndex(of: anchor) ?? 0)
  case .after(let anchor):
    return inserting(at: (rest.firstIndex(of: anchor) ?? rest.count - 1) + 1)
  case .up, .down:
    let shown = order.filter(isListed)
    let places = shown.indices.filter { chosen.contains(shown[$0]) }
    guard let low = places.first, let high = places.last else { return order }
    let isContiguous = high - low + 1 == places.count
    if place == .up {
      guard isContiguous else { return inserting(at: restAbove(first)) }
      guard low > 0 else { return order }
      return inserting(at: restAbove(shown[low - 1]))
    }
    guard isContiguous else { return inserting(at: restAbove(last)) }
    guard high + 1 < shown.count else { return order }
    return inserting(at: restAbove(shown[high + 1]) + 1)
  }
}

/// The same for one item.
@inlinable
package func movingOne<Item: Hashable & Sendable>(
  _ item: Item, to place: Place<Item>, in order: [Item], isListed: (Item) -> Bool
) -> [Item] {
  guard let way = SingleMove(of: item, to: place, in: order, isListed: isListed) else {
    return order
  }
  var order = order
  order.remove(at: way.old)
  order.insert(item, at: way.next < way.old ? way.next : way.next - 1)
  return order
}

/// What single moves are worked out in.
@usableFromInline
package protocol ItemList: BidirectionalCollection where Element: Hashable {
  func firstIndex(of item: Element) -> Index?
}

extension Array: ItemList where Element: Hashable {}

/// The move of one item, found without asking for every other one whether it is chosen or listed.
@usableFromInline
package struct SingleMove<List: ItemList> {
  /// Where it is.
  @usableFromInline package let old: List.Index
  /// Before whom it goes; the end: below all.
  @usableFromInline package let next: List.Index

  /// Nil where it stays.
  @inlinable
  package init?(
    of item: List.Element, to place: Place<List.Element>, in order: List,
    isListed: (List.Element) -> Bool
  ) {
    guard let old = order.firstIndex(of: item) else { return nil }
    let below = order.index(after: old)
    let next: List.Index
    switch place {
    case .top: next = order.startIndex
    case .bottom: next = order.endIndex
    case .before(let anchor): next = order.firstIndex(of: anchor) ?? order.startIndex
    case .after(let anchor):
      next = order.firstIndex(of: anchor).map(order.index(after:)) ?? order.endIndex
    case .up:
      guard isListed(item) else { return nil }
      next = order[..<old].lastIndex(where: isListed) ?? old
    case .down:
      guard isListed(item) else { return nil }
      next = order[below...].firstIndex(where: isListed).map(order.index(after:)) ?? old
    }
    if next == old || next == below { return nil }
    self.old = old
    self.next = next
  }

  /// Who stands above it after the move, and stood before; nil: it is at the top.
  @inlinable
  package func predecessors(in order: List) -> (new: List.Element?, old: List.Element?) {
    (element(above: next, in: order), element(above: old, in: order))
  }
}

/// What stands directly above that place; nil at the top.
@inlinable
package func element<List: ItemList>(above place: List.Index, in list: List) -> List.Element? {
  place == list.startIndex ? nil : list[list.index(before: place)]
}

/// What stands directly above the item; nil at the top, and where it is not in the list.
@inlinable
package func predecessor<List: ItemList>(of item: List.Element, in list: List) -> List.Element? {
  list.firstIndex(of: item).flatMap { element(above: $0, in: list) }
}

/// The list with these items, which are in it, in this order among themselves.
@inlinable
package func reordered<Item: Hashable>(_ list: [Item], _ order: [Item]) -> [Item] {
  let chosen = Set(order)
  var next = order.makeIterator()
  return list.map { chosen.contains($0) ? next.next() ?? $0 : $0 }
}

/// The order of a list after things, its own and those of other lists, came to a place in it
/// together.
///
/// - Parameters:
///   - moved: in the order that they have then.
///   - order: the complete list, gone ones included.
@inlinable
package func bringing<Item: Hashable & Sendable>(
  _ moved: [Item], to place: Place<Item>, in order: [Item], isListed: (Item) -> Bool
) -> [Item] {
  let members = Set(order)
  let list = order + moved.filter { !members.contains($0) }
  return reordered(moving(Set(moved), to: place, in: list, isListed: isListed), moved)
}
