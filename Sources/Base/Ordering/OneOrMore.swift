/// A choice from a list that is never empty. Taking its only member away chooses the next one
/// instead, or at the end the previous one, and from then on goes that way until it meets the
/// other end: so whoever keeps pressing passes through the whole list.
///
/// The list holds every item once. Choosing and taking away are constant in its length; making or
/// changing the list is linear.
package struct OneOrMore<Item: Hashable & Sendable>: Hashable, Sendable {
  private var list: ListOrder<Item>
  /// Never empty; all of them are in the list.
  package private(set) var chosen: Set<Item>
  /// On which side the substitute of an only member is looked for first.
  package private(set) var direction = ListDirection.below

  package var items: [Item] { list.items }

  /// Nil for an empty list, from which nothing can be chosen. Chosen items that are not in the
  /// list are dropped; if none is left, the first of the list is chosen.
  package init?(_ items: [Item], chosen: Set<Item> = []) {
    guard let first = items.first else { return nil }
    list = ListOrder(items)
    self.chosen = chosen.filter(list.contains)
    if self.chosen.isEmpty { self.chosen = [first] }
  }

  /// An item that is not in the list does nothing.
  package mutating func choose(_ item: Item) {
    if list.contains(item) { chosen.insert(item) }
  }

  /// What is not chosen does nothing. The only member of a list of one stays.
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

  /// The choice from the list as it is now; nil if that is empty.
  ///
  /// What vanished is no longer chosen. If nothing else was, it is as though the vanished items
  /// had been taken away one after the other: the nearest one left of the old list is chosen, in
  /// the direction of the choice if there is one. From a list that is entirely new the first item
  /// is chosen, as in the beginning.
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

  /// The first item of this list beyond all that is chosen that is in the other list too. Beyond
  /// the last one in the direction of the choice, on whichever side is looked.
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
