/// Values with a unique number each. Numbers begin at 1 and are never reused.
struct Numbered<Value> {
  private(set) var values: [Int: Value] = [:]
  private var last = 0

  var isEmpty: Bool { values.isEmpty }

  mutating func add(_ value: Value) -> Int {
    last += 1
    values[last] = value
    return last
  }

  /// Nil if the value was removed; a new one can't be set then.
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
