/// A list with a lookup of an item's index: an array, or a type with a faster lookup.
@usableFromInline
package protocol ItemList: BidirectionalCollection where Element: Hashable {
  func firstIndex(of item: Element) -> Index?
}

extension Array: ItemList where Element: Hashable {}

/// Returns the list after the items have moved, together, to a place in it.
///
/// - Parameters:
///   - items: the items that move, in their new order. Items that are not in the list come from
///     elsewhere.
///   - list: the complete list, including gone items.
///   - isListed: whether an item is shown. `up` and `down` count only shown items.
@inlinable
package func placing<Item: Hashable & Sendable>(
  _ items: [Item], at place: Place<Item>, in list: [Item],
  isListed: (Item) -> Bool = { _ in true }
) -> [Item] {
  let chosen = Set(items)
  guard let gap = list.gap(for: chosen, at: place, isListed: isListed) else { return list }
  func others(_ part: ArraySlice<Item>) -> [Item] { part.filter { !chosen.contains($0) } }
  return others(list[..<gap]) + items + others(list[gap...])
}

/// Returns the list with the given items in this order among themselves, in the positions that they
/// had. The others stay.
@inlinable
package func permuting<Item: Hashable>(_ items: [Item], in list: [Item]) -> [Item] {
  let chosen = Set(items)
  var next = items.makeIterator()
  return list.map { chosen.contains($0) ? next.next() ?? $0 : $0 }
}

extension ItemList {
  /// Returns the index in the current list before which the chosen items go, or nil if they stay.
  /// An anchor that is not in the list stands for an end of the list: `before` for its start,
  /// `after` for its end.
  ///
  /// For a single item it examines only the neighbours, however long the list is.
  @inlinable
  package func gap(
    for chosen: Set<Element>, at place: Place<Element>, isListed: (Element) -> Bool
  ) -> Index? where Element: Sendable {
    switch place {
    case .top: return startIndex
    case .bottom: return endIndex
    case .before(let anchor): return firstIndex(of: anchor) ?? startIndex
    case .after(let anchor): return firstIndex(of: anchor).map(index(after:)) ?? endIndex
    case .up, .down:
      guard let shown = stretch(of: chosen, where: isListed) else { return nil }
      if self[shown].contains(where: { isListed($0) && !chosen.contains($0) }) {
        // Scattered items gather at their first member (up) or their last one (down).
        guard let all = stretch(of: chosen, where: { _ in true }) else { return nil }
        return place == .up ? all.lowerBound : index(after: all.upperBound)
      }
      return place == .up
        ? self[..<shown.lowerBound].lastIndex(where: isListed)
        : self[index(after: shown.upperBound)...].firstIndex(where: isListed).map(index(after:))
    }
  }

  /// Returns the range from the first to the last of the chosen items that are shown.
  @inlinable
  func stretch(
    of chosen: Set<Element>, where isListed: (Element) -> Bool
  ) -> ClosedRange<Index>? {
    if chosen.count == 1, let item = chosen.first {
      guard isListed(item), let index = firstIndex(of: item) else { return nil }
      return index...index
    }
    func isMeant(_ item: Element) -> Bool { chosen.contains(item) && isListed(item) }
    guard let first = firstIndex(where: isMeant), let last = lastIndex(where: isMeant) else {
      return nil
    }
    return first...last
  }
}

/// Returns the item directly above the index, or nil at the top.
@inlinable
package func element<List: ItemList>(above index: List.Index, in list: List) -> List.Element? {
  index == list.startIndex ? nil : list[list.index(before: index)]
}

/// Returns the item directly above this one, or nil at the top or if it is not in the list.
@inlinable
package func predecessor<List: ItemList>(of item: List.Element, in list: List) -> List.Element? {
  list.firstIndex(of: item).flatMap { element(above: $0, in: list) }
}
