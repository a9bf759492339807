/// The parameters of one call. Records which ones were read, so that all others can be refused.
struct Parameters {
  private let fields: Fields
  private var asked: Set<String> = []

  /// 2^53. Larger integers are not exact in every client, and arithmetic on smaller ones doesn't
  /// overflow.
  private static let numberMost = 1 << 53
  /// The most lists in one call. More would keep other clients waiting.
  private static let listsMost = 10_000
  /// The most roots in one call. Each is tried for each song of a list, and a music library has
  /// fewer.
  private static let rootsMost = 64

  init(_ json: JSON?) throws(InterfaceError) {
    switch json {
    case nil, .null?: fields = Fields(JSON.Object())
    case .object(let object)?: fields = Fields(object)
    default: throw .invalidParameter(parameter: "parameters")
    }
  }

  func refuseOthers() throws(InterfaceError) {
    if let other = fields.object.keys.first(where: { !asked.contains($0) }) {
      throw .invalidParameter(parameter: other)
    }
  }

  private mutating func optional<Value>(
    _ name: String, _ read: (JSON) -> Value?
  ) throws(InterfaceError) -> Value? {
    asked.insert(name)
    do throws(FieldError) {
      return try fields.optional(name, read)
    } catch {
      throw .invalidParameter(parameter: name)
    }
  }

  private mutating func required<Value>(
    _ name: String, _ read: (JSON) -> Value?
  ) throws(InterfaceError) -> Value {
    guard let value = try optional(name, read) else { throw .invalidParameter(parameter: name) }
    return value
  }

  /// Returns nil for a text with a NUL, at which C would end it. No name, id or query contains one.
  private static func text(_ json: JSON) -> String? {
    json.string.flatMap { $0.utf8.contains(0) ? nil : $0 }
  }

  private static func texts(_ json: JSON) -> [String]? {
    guard let array = json.array else { return nil }
    let texts = array.compactMap(text)
    return texts.count == array.count ? texts : nil
  }

  mutating func string(_ name: String) throws(InterfaceError) -> String {
    try required(name, Self.text)
  }

  mutating func optionalString(_ name: String) throws(InterfaceError) -> String? {
    try optional(name, Self.text)
  }

  mutating func optionalStrings(_ name: String) throws(InterfaceError) -> [String]? {
    try optional(name, Self.texts)
  }

  /// Reads a list of one text or more.
  mutating func ids(_ name: String) throws(InterfaceError) -> [String] {
    try required(name) { json in Self.texts(json).flatMap { $0.isEmpty ? nil : $0 } }
  }

  mutating func flag(_ name: String) throws(InterfaceError) -> Bool {
    try optional(name, \.bool) ?? false
  }

  mutating func optionalFlag(_ name: String) throws(InterfaceError) -> Bool? {
    try optional(name, \.bool)
  }

  /// Reads one list or more, each with one text or more.
  mutating func lists(_ name: String) throws(InterfaceError) -> [[String]] {
    try required(name) { json in
      guard let array = json.array, (1...Self.listsMost).contains(array.count) else { return nil }
      let lists = array.compactMap { Self.texts($0).flatMap { $0.isEmpty ? nil : $0 } }
      return lists.count == array.count ? lists : nil
    }
  }

  /// Reads the number of steps or the change to go back to: one of the two at most.
  mutating func steps() throws(InterfaceError) -> (count: Int?, to: Int?) {
    let count = try number("count", from: 1)
    let number = try number("to")
    if count != nil, number != nil { throw .invalidParameter(parameter: "to") }
    return (count, number)
  }

  mutating func direction(allowed: Bool) throws(InterfaceError) -> Bool? {
    let ascending = try optionalFlag("ascending")
    if ascending != nil, !allowed { throw .invalidParameter(parameter: "ascending") }
    return ascending
  }

  mutating func number(
    _ name: String, in range: ClosedRange<Int>
  ) throws(InterfaceError) -> Int {
    guard let number = try number(name), range.contains(number) else {
      throw .invalidParameter(parameter: name)
    }
    return number
  }

  mutating func number(_ name: String, from least: Int = 0) throws(InterfaceError) -> Int? {
    try optional(name) { json in
      json.integer.flatMap { (least...Self.numberMost).contains($0) ? $0 : nil }
    }
  }

  mutating func enumeration<Value: WireEnumeration>(
    _ name: String
  ) throws(InterfaceError) -> Value {
    try required(name) { $0.string.flatMap(Value.init(rawValue:)) }
  }

  mutating func optionalEnumeration<Value: WireEnumeration>(
    _ name: String
  ) throws(InterfaceError) -> Value? {
    try optional(name) { $0.string.flatMap(Value.init(rawValue:)) }
  }

  /// Reads one value or more.
  mutating func enumerations<Value: WireEnumeration>(
    _ name: String
  ) throws(InterfaceError) -> [Value]? {
    try optional(name) { json in
      let values = json.array?.compactMap { $0.string.flatMap(Value.init(rawValue:)) } ?? []
      return values.isEmpty || values.count != json.array?.count ? nil : values
    }
  }

  /// Reads an absolute path or a `file:` URI.
  mutating func optionalPath(_ name: String) throws(InterfaceError) -> String? {
    try optional(name) { json in Self.text(json).flatMap { Self.isPath($0) ? $0 : nil } }
  }

  private static func isPath(_ text: String) -> Bool {
    text.hasPrefix("/") || text.hasPrefix("file:///")
  }

  /// Reads a list of wanted songs, which may be empty.
  mutating func wanted(_ name: String) throws(InterfaceError) -> [Interface.Wanted] {
    try required(name) { json in
      guard let array = json.array, array.count <= Interface.wantedMost else { return nil }
      let wanted = array.compactMap(Self.wanted)
      return wanted.count == array.count ? wanted : nil
    }
  }

  private static func wanted(_ json: JSON) -> Interface.Wanted? {
    guard let object = json.object, let wanted = try? Interface.Wanted(json: json),
      object.members.allSatisfy({ key, value in
        Interface.Wanted.fields.contains(key) && value.string?.utf8.contains(0) != true
      }),
      [wanted.disc, wanted.track].allSatisfy({ (0...numberMost).contains($0 ?? 0) }),
      (0...Double(numberMost)).contains(wanted.seconds ?? 0)
    else { return nil }
    return wanted
  }

  mutating func roots(_ name: String) throws(InterfaceError) -> [Interface.Root] {
    let roots = try optional(name) { json -> [Interface.Root]? in
      guard let object = json.object, object.count <= Self.rootsMost else { return nil }
      let roots = object.members.compactMap { key, value -> Interface.Root? in
        guard let ours = Self.text(value), Self.isPath(ours), !key.isEmpty, !key.utf8.contains(0)
        else { return nil }
        return Interface.Root(theirs: key, ours: ours)
      }
      return roots.count == object.count ? roots : nil
    }
    return roots ?? []
  }

  mutating func place(_ name: String) throws(InterfaceError) -> Interface.Place {
    guard let place = try optionalPlace(name) else { throw .invalidParameter(parameter: name) }
    return place
  }

  mutating func optionalPlace(_ name: String) throws(InterfaceError) -> Interface.Place? {
    let place = try optional(name) { json -> Interface.Place? in
      guard let object = json.object,
        object.keys.allSatisfy({ ["where", "anchor"].contains($0) }),
        json["anchor"].map({ $0 == .null || Self.text($0) != nil }) ?? true
      else { return nil }
      return try? Interface.Place(json: json)
    }
    guard let place else { return nil }
    if place.where.needsAnchor, place.anchor == nil {
      throw .invalidPlace(reason: "\(place.where.rawValue) needs an anchor")
    }
    if !place.where.needsAnchor, place.anchor != nil {
      throw .invalidPlace(reason: "\(place.where.rawValue) takes no anchor")
    }
    return place
  }
}
