extension Call {
  /// Reads a call as it came over the wire. Parameters may be absent, `{}` or null; an optional one
  /// that is null counts as absent.
  ///
  /// Throws `interfaceNotFound` or `methodNotFound`; `invalidParameter` for the first parameter
  /// that is unknown, missing, of another type or out of range; `invalidPlace` for an anchor that
  /// is missing or too much.
  package init(method name: String, parameters: JSON?) throws(InterfaceError) {
    let method = try Self.method(named: name)
    var parameters = try Parameters(parameters)
    self = try Self.read(method, &parameters)
    try parameters.refuseOthers()
  }

  private static func method(named name: String) throws(InterfaceError) -> Method {
    let interface = try interfaceName(ofMethod: name)
    guard interface == Interface.name else { throw .interfaceNotFound(interface: interface) }
    guard let method = Method(rawValue: String(name.dropFirst(interface.count + 1))) else {
      throw .methodNotFound(method: name)
    }
    return method
  }

  /// What stands before the last dot.
  static func interfaceName(ofMethod name: String) throws(InterfaceError) -> String {
    guard let dot = name.lastIndex(of: ".") else { throw .methodNotFound(method: name) }
    return String(name[..<dot])
  }

  private static func read(
    _ method: Method, _ parameters: inout Parameters
  ) throws(InterfaceError) -> Call {
    switch method {
    case .status: .status
    case .listCrates: .listCrates
    case .listAlbums:
      .listAlbums(
        crate: try parameters.optionalString("crate"), gone: try parameters.flag("gone"),
        first: try parameters.number("first", from: 1), count: try parameters.number("count"))
    case .listSongs:
      .listSongs(
        crate: try parameters.optionalString("crate"),
        album: try parameters.optionalString("album"), gone: try parameters.flag("gone"),
        first: try parameters.number("first", from: 1), count: try parameters.number("count"))
    case .search:
      .search(query: try parameters.string("query"), limit: try parameters.number("limit"))
    case .history:
      .history(limit: try parameters.number("limit"), before: try parameters.number("before"))
    case .watch: .watch(since: try parameters.number("since"))
    case .sync: .sync
    case .rescan: .rescan(path: try parameters.optionalString("path"))
    case .problems: .problems
    case .artwork: .artwork(album: try parameters.string("album"))
    case .readText: .readText(crate: try parameters.optionalString("crate"))
    case .moveAlbums, .moveSongs, .moveCrate, .renameCrate, .sortAlbums, .sortSongs, .applyText,
      .undo, .redo, .forget:
      try readChange(method, &parameters)
    }
  }

  private static func readChange(
    _ method: Method, _ parameters: inout Parameters
  ) throws(InterfaceError) -> Call {
    let sequence = try parameters.number("sequence")
    switch method {
    case .moveAlbums:
      let albums = try parameters.ids("albums")
      let place = try parameters.optionalPlace("place")
      let crate = try parameters.optionalString("crate")
      guard place != nil || crate != nil else { throw .invalidParameter(parameter: "place") }
      return .moveAlbums(albums: albums, place: place, crate: crate, sequence: sequence)
    case .moveSongs:
      return .moveSongs(
        songs: try parameters.ids("songs"), place: try parameters.place("place"),
        sequence: sequence)
    case .moveCrate:
      return .moveCrate(
        crate: try parameters.string("crate"), place: try parameters.place("place"),
        sequence: sequence)
    case .renameCrate:
      return .renameCrate(
        crate: try parameters.string("crate"), name: try parameters.string("name"),
        sequence: sequence)
    case .sortAlbums:
      return .sortAlbums(
        albums: try parameters.ids("albums"), order: try parameters.enumeration("order"),
        sequence: sequence)
    case .sortSongs:
      return .sortSongs(
        songs: try parameters.ids("songs"), order: try parameters.enumeration("order"),
        sequence: sequence)
    case .applyText:
      guard let sequence else { throw .invalidParameter(parameter: "sequence") }
      return .applyText(
        text: try parameters.string("text"), sequence: sequence,
        crate: try parameters.optionalString("crate"))
    case .redo: return .redo(sequence: sequence)
    case .forget:
      let songs = try parameters.optionalStrings("songs")
      let albums = try parameters.optionalStrings("albums")
      let all = try parameters.flag("all")
      // Nothing named is never taken for everything.
      guard all || songs != nil || albums != nil else { throw .invalidParameter(parameter: "all") }
      return .forget(songs: songs, albums: albums, all: all, sequence: sequence)
    default: return .undo(sequence: sequence)
    }
  }
}

/// The parameters of one call. Remembers which were asked for, so that the others can be refused.
struct Parameters {
  private let fields: Fields
  private var asked: Set<String> = []

  /// Numbers beyond this are not exact in every client; no arithmetic on smaller ones overflows.
  private static let numberMost = 1 << 53

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

  /// No name, id or query has a NUL in it, and C would end there.
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

  /// One or more.
  mutating func ids(_ name: String) throws(InterfaceError) -> [String] {
    try required(name) { json in Self.texts(json).flatMap { $0.isEmpty ? nil : $0 } }
  }

  mutating func flag(_ name: String) throws(InterfaceError) -> Bool {
    try optional(name, \.bool) ?? false
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
