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

  /// Sets values anew, one after the other: where no copy of the map is left, the old one's memory
  /// is free for the next one.
  package mutating func replaceValues(_ transform: (Value) -> Value?) {
    for key in Array(tree.keys) {
      if let new = tree[key].flatMap(transform) { tree[key] = new }
    }
  }

  /// The values, in no order.
  package var values: [Value] { tree.map(\.value) }
}
