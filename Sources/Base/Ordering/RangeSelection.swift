/// The selected items of a list. A range is selected from one item, without a remembered last
/// click: it extends to the end of the list or to an item in the opposite state.
///
/// The items of the list are distinct. Queries take constant time, selecting a range is linear in
/// the range, and creating or updating the list is linear in the list.
package struct RangeSelection<Item: Hashable & Sendable>: Hashable, Sendable {
  private var list: ListOrder<Item>
  /// A subset of the list.
  package private(set) var selected: Set<Item>

  package var items: [Item] { list.items }

  /// Selected items that are not in the list are dropped.
  package init(_ items: [Item], selected: Set<Item> = []) {
    list = ListOrder(items)
    self.selected = selected.filter(list.contains)
  }

  /// Toggles one item. Ignored if it is not in the list.
  package mutating func toggle(_ item: Item) {
    guard list.contains(item) else { return }
    if selected.remove(item) == nil { selected.insert(item) }
  }

  /// Whether a range can be selected from the item: it has a neighbour on that side, in the same
  /// state as the item.
  package func canSelectRange(_ direction: ListDirection, from item: Item) -> Bool {
    guard let position = list.position(of: item) else { return false }
    return isLikeItsNeighbour(direction, position)
  }

  /// Selects an unselected item and the adjacent unselected ones on that side. From a selected
  /// item, deselects the adjacent selected ones.
  ///
  /// - Returns: the toggled items in the list's order, or nil if no range can be selected, in which
  ///   case nothing changes.
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

  /// Updates the list. Vanished items are no longer selected, and new ones are not selected.
  package mutating func follow(_ items: [Item]) {
    self = Self(items, selected: selected)
  }

  private func isLikeItsNeighbour(_ direction: ListDirection, _ position: Int) -> Bool {
    guard let neighbour = list.position(direction, position) else { return false }
    return selected.contains(items[position]) == selected.contains(items[neighbour])
  }
}
