/// A selection from a list that is never empty. Deselecting its only member selects the next item
/// instead, or at the end the previous one. From then on it goes in that direction until it reaches
/// the other end, so that repeated deselection passes through the whole list.
///
/// The items of the list are distinct. Selecting and deselecting take constant time. Creating or
/// updating the list is linear.
package struct OneOrMore<Item: Hashable & Sendable>: Hashable, Sendable {
  private var list: ListOrder<Item>
  /// Never empty, and a subset of the list.
  package private(set) var chosen: Set<Item>
  /// The side on which a substitute for an only member is searched for first.
  package private(set) var direction = ListDirection.below

  package var items: [Item] { list.items }

  /// Returns nil for an empty list. Chosen items that are not in the list are dropped. If none is
  /// left, the first item of the list is chosen.
  package init?(_ items: [Item], chosen: Set<Item> = []) {
    guard let first = items.first else { return nil }
    list = ListOrder(items)
    self.chosen = chosen.filter(list.contains)
    if self.chosen.isEmpty { self.chosen = [first] }
  }

  /// Selects an item. Ignored if the item is not in the list.
  package mutating func choose(_ item: Item) {
    if list.contains(item) { chosen.insert(item) }
  }

  /// Deselects an item. Ignored if it is not chosen. The only item of a list of one stays chosen.
  package mutating func takeAway(_ item: Item) {
    guard chosen.contains(item), let position = list.position(of: item) else { return }
    if chosen.count > 1 {
      chosen.remove(item)
    } else if let next = list.position(direction, position) {
      chosen = [items[next]]
    } else if let previous = list.position(direction.opposite, position) {
      chosen = [items[previous]]
      direction = direction.opposite
    }
  }

  /// Returns the selection for an updated list, or nil if the list is empty.
  ///
  /// Vanished items are no longer chosen. If no chosen item is left, the result is the same as if
  /// the vanished items had been deselected one after the other: the nearest remaining item of the
  /// old list is chosen, preferably in the selection's direction. If the list is entirely new, its
  /// first item is chosen.
  package func following(_ items: [Item]) -> Self? {
    guard var new = Self(items, chosen: chosen) else { return nil }
    new.direction = direction
    if chosen.contains(where: new.list.contains) { return new }
    for side in [direction, direction.opposite] {
      guard let nearest = nearest(side, in: new.list) else { continue }
      new.chosen = [nearest]
      new.direction = side
      return new
    }
    return Self(items)
  }

  /// Returns the first item of this list, on one side of all chosen items, that is also in the
  /// other list. Starts from the last chosen item in the selection's direction, whichever side is
  /// searched.
  private func nearest(_ side: ListDirection, in other: ListOrder<Item>) -> Item? {
    let positions = chosen.compactMap(list.position)
    var position = direction == .above ? positions.min() : positions.max()
    while let here = position {
      position = list.position(side, here)
      if let position, other.contains(items[position]) { return items[position] }
    }
    return nil
  }
}
