/// Which way through a list.
package enum ListDirection: Hashable, Sendable, CaseIterable {
  case above
  case below

  package var opposite: Self { self == .above ? .below : .above }
}

/// A list that holds everything once, and knows where each thing stands.
///
/// Costs: making one is linear and keeps a hash table of the list; every question is constant.
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

  /// The neighbour's position; nil at the end.
  func position(_ direction: ListDirection, _ position: Int) -> Int? {
    let neighbour = direction == .above ? position - 1 : position + 1
    return items.indices.contains(neighbour) ? neighbour : nil
  }
}
