/// A direction in a list.
package enum ListDirection: Hashable, Sendable, CaseIterable {
  case above
  case below

  package var opposite: Self { self == .above ? .below : .above }
}

/// A list of distinct items with the position of each.
///
/// Initialization is linear and builds a hash table of the list. Every query takes constant time.
struct ListOrder<Item: Hashable & Sendable>: Hashable, Sendable {
  let items: [Item]
  private let positions: [Item: Int]

  init(_ items: [Item]) {
    self.items = items
    positions = Dictionary(zip(items, items.indices)) { _, _ in
      preconditionFailure("an item is in a list once")
    }
  }

  func contains(_ item: Item) -> Bool { positions[item] != nil }

  func position(of item: Item) -> Int? { positions[item] }

  /// Returns the position of the neighbour, or nil at the end of the list.
  func position(_ direction: ListDirection, _ position: Int) -> Int? {
    let neighbour = direction == .above ? position - 1 : position + 1
    return items.indices.contains(neighbour) ? neighbour : nil
  }
}
