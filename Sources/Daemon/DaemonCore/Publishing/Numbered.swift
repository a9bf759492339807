/// Values that are known by a number each. None is given twice; the first is 1.
struct Numbered<Value> {
  private(set) var values: [Int: Value] = [:]
  private var last = 0

  var isEmpty: Bool { values.isEmpty }

  mutating func add(_ value: Value) -> Int {
    last += 1
    values[last] = value
    return last
  }

  /// Nil where it was removed; a new one can't be put in its place.
  subscript(number: Int) -> Value? {
    get { values[number] }
    set { if values[number] != nil { values[number] = newValue } }
  }

  mutating func remove(_ number: Int) -> Value? { values.removeValue(forKey: number) }

  mutating func removeAll() -> [Value] {
    defer { values = [:] }
    return Array(values.values)
  }
}

extension Numbered: Sendable where Value: Sendable {}
