/// A field of a JSON value that is missing, of another type or out of range.
package struct FieldError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The outermost field; empty if the value itself is not an object.
  package var field: String

  package init(_ field: String) {
    self.field = field
  }

  package var description: String {
    field.isEmpty ? "not an object" : "the field \(field) is missing or of another type"
  }
}

/// A Varlink struct, read from JSON and written as JSON.
package protocol WireStructure: Sendable, Hashable {
  /// Reads the struct and ignores unknown fields. An optional field may be absent or null.
  init(json: JSON) throws(FieldError)
  /// All fields in the order of the interface; an empty optional one is null.
  var json: JSON { get }
}

/// A Varlink enumeration. One that a server sends has a case `unknown` for the values of newer
/// servers; `unknown` is never sent.
package protocol WireEnumeration: Sendable, Hashable, CaseIterable, RawRepresentable<String> {}

/// Reads the fields of one object.
struct Fields {
  let object: JSON.Object

  init(_ json: JSON) throws(FieldError) {
    guard let object = json.object else { throw FieldError("") }
    self.object = object
  }

  init(_ object: JSON.Object) {
    self.object = object
  }

  /// Returns nil if the field is absent or null.
  func optional<Value>(_ name: String, _ read: (JSON) -> Value?) throws(FieldError) -> Value? {
    guard let json = object[name], json != .null else { return nil }
    guard let value = read(json) else { throw FieldError(name) }
    return value
  }

  func required<Value>(_ name: String, _ read: (JSON) -> Value?) throws(FieldError) -> Value {
    guard let value = try optional(name, read) else { throw FieldError(name) }
    return value
  }

  func string(_ name: String) throws(FieldError) -> String { try required(name, \.string) }
  func int(_ name: String) throws(FieldError) -> Int { try required(name, \.integer) }
  func float(_ name: String) throws(FieldError) -> Double { try required(name, \.number) }
  func bool(_ name: String) throws(FieldError) -> Bool { try required(name, \.bool) }
  func strings(_ name: String) throws(FieldError) -> [String] {
    try required(name) { list($0) { $0.string } }
  }

  func enumeration<Value: WireEnumeration>(
    _ name: String, otherwise unknown: Value
  ) throws(FieldError) -> Value {
    try required(name) { $0.string.map { Value(rawValue: $0) ?? unknown } }
  }

  func structure<Value: WireStructure>(
    _ name: String, of type: Value.Type = Value.self
  ) throws(FieldError) -> Value {
    try required(name) { try? Value(json: $0) }
  }

  func structures<Value: WireStructure>(
    _ name: String, of type: Value.Type = Value.self
  ) throws(FieldError) -> [Value] {
    try required(name) { list($0) { try? Value(json: $0) } }
  }

  /// Returns nil if the field is absent or null.
  func optionalStructures<Value: WireStructure>(
    _ name: String, of type: Value.Type = Value.self
  ) throws(FieldError) -> [Value]? {
    try optional(name) { list($0) { try? Value(json: $0) } }
  }

  private func list<Value>(_ json: JSON, _ read: (JSON) -> Value?) -> [Value]? {
    guard let array = json.array else { return nil }
    var values: [Value] = []
    values.reserveCapacity(array.count)
    for element in array {
      guard let value = read(element) else { return nil }
      values.append(value)
    }
    return values
  }
}
