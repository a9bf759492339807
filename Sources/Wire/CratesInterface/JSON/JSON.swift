/// A JSON value. Integers are separate from other numbers, like Varlink's `int` and `float`.
package enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSON])
  case object(Object)
}

extension JSON {
  /// The members of a JSON object in their order, each key once.
  package struct Object: Sendable {
    package private(set) var members: [(key: String, value: JSON)]
    // Nil while a linear search is fast enough.
    private var positions: [String: Int]?

    /// The most members for which a linear search is faster than a hash table.
    private static let searchedMost = 16

    package init() {
      members = []
    }

    /// Creates an object. If a key occurs twice, the last value wins.
    package init(_ members: [(key: String, value: JSON)]) {
      self.init()
      self.members.reserveCapacity(members.count)
      for member in members { self[member.key] = member.value }
    }

    /// Creates an object from members whose keys must be different.
    init(distinct members: [(key: String, value: JSON)]) {
      self.members = members
      indexIfLarge()
    }

    package var count: Int { members.count }
    package var isEmpty: Bool { members.isEmpty }
    package var keys: [String] { members.map(\.key) }

    package func position(of key: String) -> Int? {
      if let positions { return positions[key] }
      return members.firstIndex { $0.key == key }
    }

    /// The value of a key. Setting a new key appends it; setting nil removes the key.
    package subscript(key: String) -> JSON? {
      get { position(of: key).map { members[$0].value } }
      set {
        switch (position(of: key), newValue) {
        case (let position?, let value?): members[position].value = value
        case (let position?, nil):
          members.remove(at: position)
          positions = nil
          indexIfLarge()
        case (nil, let value?):
          members.append((key, value))
          if positions == nil { indexIfLarge() } else { positions?[key] = members.count - 1 }
        case (nil, nil): break
        }
      }
    }

    private mutating func indexIfLarge() {
      guard members.count > Self.searchedMost else { return }
      positions = Dictionary(
        members.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { _, last in last })
    }
  }
}

extension JSON.Object: Equatable {
  package static func == (left: Self, right: Self) -> Bool {
    left.members.count == right.members.count
      && zip(left.members, right.members).allSatisfy { $0.key == $1.key && $0.value == $1.value }
  }
}

extension JSON.Object: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self.init(elements.map { (key: $0.0, value: $0.1) })
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(nilLiteral: ()) { self = .null }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Object(elements.map { (key: $0.0, value: $0.1) }))
  }
}

extension JSON {
  /// `null` for `nil`.
  package init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
  /// `null` for `nil`.
  package init(_ value: String?) { self = value.map { .string($0) } ?? .null }
  /// `null` for `nil`.
  package init(_ value: Bool?) { self = value.map { .bool($0) } ?? .null }
  package init(_ values: [String]) { self = .array(values.map { .string($0) }) }

  /// The value of a key, if this is an object with that key.
  package subscript(key: String) -> JSON? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }

  package var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  package var integer: Int? {
    guard case .integer(let value) = self else { return nil }
    return Int(exactly: value)
  }

  /// The value of a number, also if it is an integer.
  package var number: Double? {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }

  package var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  package var array: [JSON]? {
    guard case .array(let values) = self else { return nil }
    return values
  }

  package var object: Object? {
    guard case .object(let object) = self else { return nil }
    return object
  }
}
