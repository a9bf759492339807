import HashTreeCollections

/// A dictionary whose copies share what they have in common: copying costs nothing, and changing
/// one value of a copy costs the same however many there are. That is what lets readers keep a
/// library. Its order is a hash order: nothing may be decided by it.
package struct SharedMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private var tree = TreeDictionary<Key, Value>()

  package init() {}

  package var count: Int { tree.count }
  package var isEmpty: Bool { tree.isEmpty }

  package subscript(key: Key) -> Value? {
    get { tree[key] }
    set { tree[key] = newValue }
  }

  /// Sets the value; the one that was there before, if one was.
  package mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
    tree.updateValue(value, forKey: key)
  }

  /// In no order.
  package func forEach(_ body: (Key, Value) -> Void) {
    for (key, value) in tree { body(key, value) }
  }

  /// The same keys with other values; quicker than setting each.
  package func mapValues(_ transform: (Value) -> Value) -> Self {
    var result = Self()
    result.tree = tree.mapValues(transform)
    return result
  }

  /// The values, in no order.
  package var values: [Value] { tree.map(\.value) }
}
