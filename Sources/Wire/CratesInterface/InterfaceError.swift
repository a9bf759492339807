/// The errors of org.crated.Crates and of org.varlink.service.
package enum InterfaceError: Error, Sendable, Equatable {
  case noSuchCrate(name: String)
  case noSuchAlbum(id: String)
  case noSuchSong(id: String)
  case ambiguousId(id: String, matches: [String])
  case notOneAlbum(songs: [String])
  case invalidPlace(reason: String)
  case crateExists(name: String)
  case invalidName(name: String, reason: String)
  /// `steps`: the number of steps available, if the call asked for more.
  case nothingToUndo(steps: Int? = nil)
  case nothingToRedo(steps: Int? = nil)
  case editRejected(line: Int, reason: String)
  case noArtwork(album: String)
  case noSuchPath(path: String)
  case invalidQuery(word: String, reason: String)
  case noSuchMachine(name: String)
  case nothingToJoin
  case outdated(sequence: Int)
  case changesRefused(reason: String)
  case outcomeUnknown(reason: String)
  case tooManyClients(limit: Int)

  case interfaceNotFound(interface: String)
  case methodNotFound(method: String)
  case methodNotImplemented(method: String)
  case invalidParameter(parameter: String)
  case permissionDenied
  case expectedMore

  /// An error that this version doesn't know, from a newer server.
  case unknown(name: String, parameters: JSON)
}

extension InterfaceError {
  /// The fully qualified name on the wire.
  package var name: String {
    switch self {
    case .noSuchCrate: Self.own("NoSuchCrate")
    case .noSuchAlbum: Self.own("NoSuchAlbum")
    case .noSuchSong: Self.own("NoSuchSong")
    case .ambiguousId: Self.own("AmbiguousId")
    case .notOneAlbum: Self.own("NotOneAlbum")
    case .invalidPlace: Self.own("InvalidPlace")
    case .crateExists: Self.own("CrateExists")
    case .invalidName: Self.own("InvalidName")
    case .nothingToUndo: Self.own("NothingToUndo")
    case .nothingToRedo: Self.own("NothingToRedo")
    case .editRejected: Self.own("EditRejected")
    case .noArtwork: Self.own("NoArtwork")
    case .noSuchPath: Self.own("NoSuchPath")
    case .invalidQuery: Self.own("InvalidQuery")
    case .noSuchMachine: Self.own("NoSuchMachine")
    case .nothingToJoin: Self.own("NothingToJoin")
    case .outdated: Self.own("Outdated")
    case .changesRefused: Self.own("ChangesRefused")
    case .outcomeUnknown: Self.own("OutcomeUnknown")
    case .tooManyClients: Self.own("TooManyClients")
    case .interfaceNotFound: Self.service("InterfaceNotFound")
    case .methodNotFound: Self.service("MethodNotFound")
    case .methodNotImplemented: Self.service("MethodNotImplemented")
    case .invalidParameter: Self.service("InvalidParameter")
    case .permissionDenied: Self.service("PermissionDenied")
    case .expectedMore: Self.service("ExpectedMore")
    case .unknown(let name, _): name
    }
  }

  private static func own(_ name: String) -> String { "\(Interface.name).\(name)" }
  private static func service(_ name: String) -> String { "\(Interface.serviceName).\(name)" }

  /// The parameters of the error on the wire.
  package var parameters: JSON {
    switch self {
    case .noSuchCrate(let name), .crateExists(let name), .noSuchMachine(let name):
      ["name": .string(name)]
    case .noSuchAlbum(let id), .noSuchSong(let id): ["id": .string(id)]
    case .ambiguousId(let id, let matches): ["id": .string(id), "matches": JSON(matches)]
    case .notOneAlbum(let songs): ["songs": JSON(songs)]
    case .invalidPlace(let reason), .changesRefused(let reason), .outcomeUnknown(let reason):
      ["reason": .string(reason)]
    case .invalidName(let name, let reason): ["name": .string(name), "reason": .string(reason)]
    case .nothingToUndo(let steps), .nothingToRedo(let steps): ["steps": JSON(steps)]
    case .permissionDenied, .expectedMore, .nothingToJoin: [:]
    case .editRejected(let line, let reason): ["line": JSON(line), "reason": .string(reason)]
    case .noArtwork(let album): ["album": .string(album)]
    case .noSuchPath(let path): ["path": .string(path)]
    case .invalidQuery(let word, let reason): ["word": .string(word), "reason": .string(reason)]
    case .outdated(let sequence): ["sequence": JSON(sequence)]
    case .tooManyClients(let limit): ["limit": JSON(limit)]
    case .interfaceNotFound(let interface): ["interface": .string(interface)]
    case .methodNotFound(let method), .methodNotImplemented(let method):
      ["method": .string(method)]
    case .invalidParameter(let parameter): ["parameter": .string(parameter)]
    case .unknown(_, let parameters): parameters
    }
  }

  /// Reads an error reply. An error with an unknown name or a missing parameter becomes `unknown`.
  package init(name: String, parameters: JSON?) {
    let fields = Fields(parameters?.object ?? JSON.Object())
    do throws(FieldError) {
      self =
        try Self.ownError(name, fields) ?? Self.serviceError(name, fields)
        ?? .unknown(name: name, parameters: parameters ?? [:])
    } catch {
      self = .unknown(name: name, parameters: parameters ?? [:])
    }
  }

  private static func ownError(_ name: String, _ fields: Fields) throws(FieldError) -> Self? {
    switch name {
    case own("NoSuchCrate"): .noSuchCrate(name: try fields.string("name"))
    case own("NoSuchAlbum"): .noSuchAlbum(id: try fields.string("id"))
    case own("NoSuchMachine"): .noSuchMachine(name: try fields.string("name"))
    case own("NothingToJoin"): .nothingToJoin
    case own("NoSuchSong"): .noSuchSong(id: try fields.string("id"))
    case own("AmbiguousId"):
      .ambiguousId(id: try fields.string("id"), matches: try fields.strings("matches"))
    case own("NotOneAlbum"): .notOneAlbum(songs: try fields.strings("songs"))
    case own("InvalidPlace"): .invalidPlace(reason: try fields.string("reason"))
    case own("CrateExists"): .crateExists(name: try fields.string("name"))
    case own("InvalidName"):
      .invalidName(name: try fields.string("name"), reason: try fields.string("reason"))
    case own("NothingToUndo"): .nothingToUndo(steps: try fields.optional("steps", \.integer))
    case own("NothingToRedo"): .nothingToRedo(steps: try fields.optional("steps", \.integer))
    case own("EditRejected"):
      .editRejected(line: try fields.int("line"), reason: try fields.string("reason"))
    case own("NoArtwork"): .noArtwork(album: try fields.string("album"))
    case own("NoSuchPath"): .noSuchPath(path: try fields.string("path"))
    case own("InvalidQuery"):
      .invalidQuery(word: try fields.string("word"), reason: try fields.string("reason"))
    case own("Outdated"): .outdated(sequence: try fields.int("sequence"))
    case own("ChangesRefused"): .changesRefused(reason: try fields.string("reason"))
    case own("OutcomeUnknown"): .outcomeUnknown(reason: try fields.string("reason"))
    case own("TooManyClients"): .tooManyClients(limit: try fields.int("limit"))
    default: nil
    }
  }

  private static func serviceError(_ name: String, _ fields: Fields) throws(FieldError) -> Self? {
    switch name {
    case service("InterfaceNotFound"):
      .interfaceNotFound(interface: try fields.string("interface"))
    case service("MethodNotFound"): .methodNotFound(method: try fields.string("method"))
    case service("MethodNotImplemented"):
      .methodNotImplemented(method: try fields.string("method"))
    case service("InvalidParameter"): .invalidParameter(parameter: try fields.string("parameter"))
    case service("PermissionDenied"): .permissionDenied
    case service("ExpectedMore"): .expectedMore
    default: nil
    }
  }
}
