/// A list in which a place can be found: an array, or one that finds an item faster.
@usableFromInline
package protocol ItemList: BidirectionalCollection where Element: Hashable {
  func firstIndex(of item: Element) -> Index?
}

extension Array: ItemList where Element: Hashable {}

/// Returns the list after the items moved, together, to a place in it: the same for crates, albums
/// and songs.
///
/// - Parameters:
///   - items: what moves, in the order that it has then. Items that are not in the list come from
///     elsewhere.
///   - list: the complete list, gone items included.
///   - isListed: whether an item is shown: `up` and `down` count shown ones only.
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

/// Returns the list with these of its items in this order among themselves: they change places, and
/// the others stay.
@inlinable
package func permuting<Item: Hashable>(_ items: [Item], in list: [Item]) -> [Item] {
  let chosen = Set(items)
  var next = items.makeIterator()
  return list.map { chosen.contains($0) ? next.next() ?? $0 : $0 }
}

extension ItemList {
  /// The index before which the chosen items go, as the list is now; nil where they stay where they
  /// are. An anchor that is not in the list is taken for the end of it that lies on its side.
  ///
  /// For one item it looks at the neighbours alone, however long the list is.
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
        // Scattered ones gather at their first, or last, member.
        guard let all = stretch(of: chosen, where: { _ in true }) else { return nil }
        return place == .up ? all.lowerBound : index(after: all.upperBound)
      }
      return place == .up
        ? self[..<shown.lowerBound].lastIndex(where: isListed)
        : self[index(after: shown.upperBound)...].firstIndex(where: isListed).map(index(after:))
    }
  }

  /// The range from the first to the last of the chosen items that are shown.
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

/// What stands directly above that index; nil at the top.
@inlinable
package func element<List: ItemList>(above index: List.Index, in list: List) -> List.Element? {
  index == list.startIndex ? nil : list[list.index(before: index)]
}

/// What stands directly above the item; nil at the top, and where it is not in the list.
@inlinable
package func predecessor<List: ItemList>(of item: List.Element, in list: List) -> List.Element? {
  list.firstIndex(of: item).flatMap { element(above: $0, in: list) }
}
