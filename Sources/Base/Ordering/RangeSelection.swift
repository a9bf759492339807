/// What is selected in a list, and how whole ranges become so from one item, without a remembered
/// last click: the range goes on until the end of the list or an item in the opposite state.
///
/// The list holds every item once. Asking is constant in its length, selecting a range is linear
/// in the range, and making or changing the list linear in the list.
package struct RangeSelection<Item: Hashable & Sendable>: Hashable, Sendable {
  private var list: ListOrder<Item>
  /// All of them are in the list.
  package private(set) var selected: Set<Item>

  package var items: [Item] { list.items }

  /// Selected items that are not in the list are dropped.
  package init(_ items: [Item], selected: Set<Item> = []) {
    list = ListOrder(items)
    self.selected = selected.filter(list.contains)
  }

  /// Turns one item over; one that is not in the list does nothing.
  package mutating func toggle(_ item: Item) {
    guard list.contains(item) else { return }
    if selected.remove(item) == nil { selected.insert(item) }
  }

  /// Whether there is a range from the item: it has a neighbour on that side, which is in the
  /// item's own state.
  package func canSelectRange(_ direction: ListDirection, from item: Item) -> Bool {
    guard let position = list.position(of: item) else { return false }
    return isLikeItsNeighbour(direction, position)
  }

  /// Selects an unselected item and the unselected ones next to it on that side; deselects from a
  /// selected one likewise.
  ///
  /// - Returns: in the list's order, what was turned over; nil where that is disabled, and then
  ///   nothing changes.
  @discardableResult
  package mutating func selectRange(
    _ direction: ListDirection, from item: Item
  ) -> ArraySlice<Item>? {
    guard let start = list.position(of: item), isLikeItsNeighbour(direction, start) else {
      return nil
    }
    var end = start
    while isLikeItsNeighbour(direction, end), let next = list.position(direction, end) {
      end = next
    }
    let range = items[min(start, end)...max(start, end)]
    if selected.contains(item) {
      selected.subtract(range)
    } else {
      selected.formUnion(range)
    }
    return range
  }

  /// Goes on with the list as it is now: what vanished is no longer selected, what is new isn't
  /// yet.
  package mutating func follow(_ items: [Item]) {
    self = Self(items, selected: selected)
  }

  private func isLikeItsNeighbour(_ direction: ListDirection, _ position: Int) -> Bool {
    guard let neighbour = list.position(direction, position) else { return false }
    return selected.contains(items[position]) == selected.contains(items[neighbour])
  }
}
