/// Whether the left one comes first by one thing of several; nil where they are alike in it.
func precedence<Value: Comparable>(_ left: Value, _ right: Value) -> Bool? {
  if left < right { return true }
  return left > right ? false : nil
}

extension Sequence {
  /// The elements by their keys, each of which is worked out once; equal ones as they stood.
  func ascending<Key: Comparable>(by key: (Element) -> Key) -> [Element] {
    map { (key: key($0), element: $0) }.sorted { $0.key < $1.key }.map(\.element)
  }
}
