/// The order after the chosen ones have been moved together to a place. Pure position arithmetic,
/// the same for crates, albums and songs.
///
/// - Parameters:
///   - order: the complete list, gone ones included.
///   - chosen: members of the list; their order in the list is kept.
///   - isListed: whether an item is shown; `up` and `down` count shown ones only.
func moving<Item: Hashable & Sendable>(
  _ chosen: Set<Item>, to place: Place<Item>, in order: [Item], isListed: (Item) -> Bool
) -> [Item] {
  if chosen.count == 1, let item = chosen.first {
    return moving(item, to: place, in: order, isListed: isListed)
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
      return inserting(at: rest.firstIndex(of: shown[low - 1]) ?? 0)
    }
    guard isContiguous else { return inserting(at: restAbove(last)) }
    guard high + 1 < shown.count else { return order }
    return inserting(at: (rest.firstIndex(of: shown[high + 1]) ?? rest.count - 1) + 1)
  }
}

/// The same for one item, without asking for every other one whether it is chosen or listed.
private func moving<Item: Hashable & Sendable>(
  _ item: Item, to place: Place<Item>, in order: [Item], isListed: (Item) -> Bool
) -> [Item] {
  guard let old = order.firstIndex(of: item) else { return order }
  var rest = order
  rest.remove(at: old)
  var new = old
  switch place {
  case .top: new = 0
  case .bottom: new = rest.count
  case .before(let anchor): new = rest.firstIndex(of: anchor) ?? 0
  case .after(let anchor): new = (rest.firstIndex(of: anchor) ?? rest.count - 1) + 1
  case .up:
    guard isListed(item) else { return order }
    new = rest[..<old].lastIndex(where: isListed) ?? old
  case .down:
    guard isListed(item) else { return order }
    new = rest[old...].firstIndex(where: isListed).map { $0 + 1 } ?? old
  }
  rest.insert(item, at: new)
  return rest
}
