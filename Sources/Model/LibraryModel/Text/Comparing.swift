/// Whether the left value comes first, or nil if they are equal. For comparisons by several keys.
func precedence<Value: Comparable>(_ left: Value, _ right: Value) -> Bool? {
  if left < right { return true }
  return left > right ? false : nil
}

extension Sequence {
  /// Returns the elements sorted by their keys, each of which is computed once. The sort is stable.
  func ascending<Key: Comparable>(by key: (Element) -> Key) -> [Element] {
    map { (key: key($0), element: $0) }.sorted { $0.key < $1.key }.map(\.element)
  }
}
