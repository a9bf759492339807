extension Call {
  /// Reads a call from the wire. Parameters may be absent, `{}` or null. An optional parameter that
  /// is null counts as absent.
  ///
  /// - Throws: `interfaceNotFound` or `methodNotFound`; `invalidParameter` for the first parameter
  ///   that is unknown, missing, of another type or out of range; `invalidPlace` for an anchor that
  ///   is missing or not allowed.
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

  /// Returns the part before the last dot.
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
        crate: try parameters.optionalString("crate"),
        albums: try parameters.optionalStrings("albums"), gone: try parameters.flag("gone"),
        first: try parameters.number("first", from: 1), count: try parameters.number("count"))
    case .listSongs:
      .listSongs(
        crate: try parameters.optionalString("crate"),
        album: try parameters.optionalString("album"),
        songs: try parameters.optionalStrings("songs"), gone: try parameters.flag("gone"),
        first: try parameters.number("first", from: 1), count: try parameters.number("count"))
    case .resolve:
      .resolve(
        words: try parameters.lists("words"), wanted: try parameters.enumerations("wanted"),
        beginning: try parameters.flag("beginning"), count: try parameters.number("count"))
    case .match:
      .match(
        wanted: try parameters.wanted("wanted"),
        relativeTo: try parameters.optionalPath("relativeTo"),
        roots: try parameters.roots("roots"))
    case .search:
      .search(
        query: try parameters.string("query"), crate: try parameters.optionalString("crate"),
        limit: try parameters.number("limit"))
    case .history:
      .history(limit: try parameters.number("limit"), before: try parameters.number("before"))
    case .watch: .watch(since: try parameters.number("since"))
    case .sync: .sync
    case .rescan: .rescan(path: try parameters.optionalString("path"))
    case .problems: .problems
    case .watchStatus: .watchStatus
    case .trace: .trace
    case .artwork: .artwork(album: try parameters.string("album"))
    case .thumbnails:
      .thumbnails(
        albums: try parameters.ids("albums"),
        side: try parameters.number("side", in: Interface.Thumbnail.sides),
        form: try parameters.optionalEnumeration("form"))
    case .readText:
      .readText(
        crate: try parameters.optionalString("crate"),
        album: try parameters.optionalString("album"), songs: try parameters.optionalFlag("songs"))
    case .machines: .machines
    case .joinMachines:
      .joinMachines(mine: try parameters.flag("mine"), dryRun: try parameters.flag("dryRun"))
    case .dropMachine: .dropMachine(machine: try parameters.string("machine"))
    case .moveAlbums, .moveSongs, .moveCrate, .renameCrate, .sortAlbums, .sortSongs, .applyText,
      .undo, .redo, .forget:
      try readChange(method, &parameters)
    }
  }

  private static func readChange(
    _ method: Method, _ parameters: inout Parameters
  ) throws(InterfaceError) -> Call {
    let sequence = try parameters.number("sequence")
    let dryRun = try parameters.flag("dryRun")
    switch method {
    case .moveAlbums:
      let albums = try parameters.ids("albums")
      let place = try parameters.optionalPlace("place")
      let crate = try parameters.optionalString("crate")
      guard place != nil || crate != nil else { throw .invalidParameter(parameter: "place") }
      return .moveAlbums(
        albums: albums, place: place, crate: crate,
        gather: try parameters.optionalEnumeration("gather"), sequence: sequence, dryRun: dryRun)
    case .moveSongs:
      return .moveSongs(
        songs: try parameters.ids("songs"), place: try parameters.place("place"),
        gather: try parameters.optionalEnumeration("gather"), sequence: sequence, dryRun: dryRun)
    case .moveCrate:
      return .moveCrate(
        crate: try parameters.string("crate"), place: try parameters.place("place"),
        sequence: sequence, dryRun: dryRun)
    case .renameCrate:
      return .renameCrate(
        crate: try parameters.string("crate"), name: try parameters.string("name"),
        sequence: sequence, dryRun: dryRun)
    case .sortAlbums:
      let albums = try parameters.ids("albums")
      let order: Interface.AlbumOrder = try parameters.enumeration("order")
      let ascending = try parameters.direction(allowed: order.takesDirection)
      return .sortAlbums(
        albums: albums, order: order, ascending: ascending, sequence: sequence, dryRun: dryRun)
    case .sortSongs:
      let songs = try parameters.ids("songs")
      let order: Interface.SongOrder = try parameters.enumeration("order")
      let ascending = try parameters.direction(allowed: order.takesDirection)
      return .sortSongs(
        songs: songs, order: order, ascending: ascending, sequence: sequence, dryRun: dryRun)
    default: return try readLargeChange(method, &parameters, sequence, dryRun)
    }
  }

  /// Reads a call that changes more than one list, or may do so.
  private static func readLargeChange(
    _ method: Method, _ parameters: inout Parameters, _ sequence: Int?, _ dryRun: Bool
  ) throws(InterfaceError) -> Call {
    switch method {
    case .applyText:
      guard let sequence else { throw .invalidParameter(parameter: "sequence") }
      return .applyText(
        text: try parameters.string("text"), sequence: sequence,
        crate: try parameters.optionalString("crate"),
        album: try parameters.optionalString("album"), songs: try parameters.optionalFlag("songs"),
        partial: try parameters.flag("partial"),
        origin: try parameters.optionalString("origin"), dryRun: dryRun)
    case .redo:
      let (count, number) = try parameters.steps()
      return .redo(count: count, to: number, sequence: sequence, dryRun: dryRun)
    case .forget:
      let songs = try parameters.optionalStrings("songs")
      let albums = try parameters.optionalStrings("albums")
      let folder = try parameters.optionalString("folder")
      let all = try parameters.flag("all")
      // A call that names nothing must not forget everything.
      guard all || songs != nil || albums != nil || folder != nil else {
        throw .invalidParameter(parameter: "all")
      }
      return .forget(
        songs: songs, albums: albums, folder: folder, all: all, sequence: sequence, dryRun: dryRun)
    default:
      let (count, number) = try parameters.steps()
      let change = try parameters.number("change")
      // `change` names a single change.
      if change != nil, number != nil || count ?? 1 != 1 {
        throw .invalidParameter(parameter: "change")
      }
      let only = try parameters.number("only")
      guard only == nil || count == nil && number == nil && change == nil else {
        throw .invalidParameter(parameter: "only")
      }
      return .undo(
        count: count, to: number, change: change, only: only, sequence: sequence, dryRun: dryRun)
    }
  }
}
