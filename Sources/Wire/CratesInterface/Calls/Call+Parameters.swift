extension Call {
  private typealias Members = [(key: String, value: JSON)]

  /// The parameters as a client sends them, without the optional ones that are empty.
  package var parameters: JSON {
    .object(JSON.Object(distinct: (changing ?? asking).filter { $0.value != .null }))
  }

  /// The members of a call that changes nothing.
  private var asking: Members {
    switch self {
    case .listAlbums(let crate, let albums, let gone, let first, let count):
      [
        ("crate", JSON(crate)), ("albums", Self.list(albums)), ("gone", Self.flag(gone)),
        ("first", JSON(first)), ("count", JSON(count)),
      ]
    case .listSongs(let crate, let album, let songs, let gone, let first, let count):
      [
        ("crate", JSON(crate)), ("album", JSON(album)), ("songs", Self.list(songs)),
        ("gone", Self.flag(gone)), ("first", JSON(first)), ("count", JSON(count)),
      ]
    case .resolve(let words, let wanted, let beginning, let count):
      [
        ("words", .array(words.map { JSON($0) })), ("wanted", Self.list(wanted?.map(\.rawValue))),
        ("beginning", Self.flag(beginning)), ("count", JSON(count)),
      ]
    case .match(let wanted, let folder, let roots):
      [
        ("wanted", .array(wanted.map { Self.given($0.json) })), ("relativeTo", JSON(folder)),
        ("roots", Self.map(roots)),
      ]
    case .search(let query, let crate, let limit):
      [("query", .string(query)), ("crate", JSON(crate)), ("limit", JSON(limit))]
    case .readText(let crate, let album, let songs):
      [("crate", JSON(crate)), ("album", JSON(album)), ("songs", JSON(songs))]
    case .history(let limit, let before): [("limit", JSON(limit)), ("before", JSON(before))]
    case .watch(let since): [("since", JSON(since))]
    case .rescan(let path): [("path", JSON(path))]
    case .artwork(let album): [("album", .string(album))]
    case .thumbnails(let albums, let side, let form):
      [("albums", JSON(albums)), ("side", JSON(side)), ("form", JSON(form?.rawValue))]
    case .joinMachines(let mine, let dryRun):
      [("mine", Self.flag(mine)), ("dryRun", Self.flag(dryRun))]
    case .dropMachine(let machine): [("machine", .string(machine))]
    default: []
    }
  }

  /// The members of a call whose reply is a change; nil for any other call.
  private var changing: Members? {
    switch self {
    case .moveAlbums(let albums, let place, let crate, let gather, let sequence, let dryRun):
      [
        ("albums", JSON(albums)), ("place", place?.json ?? .null), ("crate", JSON(crate)),
        ("gather", JSON(gather?.rawValue)),
      ] + Self.conditions(sequence, dryRun)
    case .moveSongs(let songs, let place, let gather, let sequence, let dryRun):
      [("songs", JSON(songs)), ("place", place.json), ("gather", JSON(gather?.rawValue))]
        + Self.conditions(sequence, dryRun)
    case .moveCrate(let crate, let place, let sequence, let dryRun):
      [("crate", .string(crate)), ("place", place.json)] + Self.conditions(sequence, dryRun)
    case .renameCrate(let crate, let name, let sequence, let dryRun):
      [("crate", .string(crate)), ("name", .string(name))] + Self.conditions(sequence, dryRun)
    case .sortAlbums(let albums, let order, let ascending, let sequence, let dryRun):
      [
        ("albums", JSON(albums)), ("order", .string(order.rawValue)),
        ("ascending", JSON(ascending)),
      ] + Self.conditions(sequence, dryRun)
    case .sortSongs(let songs, let order, let ascending, let sequence, let dryRun):
      [
        ("songs", JSON(songs)), ("order", .string(order.rawValue)), ("ascending", JSON(ascending)),
      ] + Self.conditions(sequence, dryRun)
    case .applyText(
      let text, let sequence, let crate, let album, let songs, let partial, let origin, let dryRun):
      [
        ("text", .string(text)), ("sequence", JSON(sequence)), ("crate", JSON(crate)),
        ("album", JSON(album)), ("songs", JSON(songs)), ("partial", Self.flag(partial)),
        ("origin", JSON(origin)), ("dryRun", Self.flag(dryRun)),
      ]
    case .undo(let count, let number, let change, let only, let sequence, let dryRun):
      [
        ("count", JSON(count)), ("to", JSON(number)), ("change", JSON(change)),
        ("only", JSON(only)),
      ]
        + Self.conditions(sequence, dryRun)
    case .redo(let count, let number, let sequence, let dryRun):
      [("count", JSON(count)), ("to", JSON(number))] + Self.conditions(sequence, dryRun)
    case .forget(let songs, let albums, let folder, let all, let sequence, let dryRun):
      [
        ("songs", Self.list(songs)), ("albums", Self.list(albums)), ("folder", JSON(folder)),
        ("all", Self.flag(all)),
      ] + Self.conditions(sequence, dryRun)
    default: nil
    }
  }

  private static func conditions(_ sequence: Int?, _ dryRun: Bool) -> Members {
    [("sequence", JSON(sequence)), ("dryRun", flag(dryRun))]
  }

  /// Removes null members. A call can contain thousands of these objects.
  private static func given(_ json: JSON) -> JSON {
    .object(JSON.Object(distinct: (json.object ?? [:]).members.filter { $0.value != .null }))
  }

  private static func map(_ roots: [Interface.Root]) -> JSON {
    if roots.isEmpty { return .null }
    return .object(JSON.Object(roots.map { (key: $0.theirs, value: .string($0.ours)) }))
  }

  private static func list(_ texts: [String]?) -> JSON { texts.map { JSON($0) } ?? .null }

  private static func flag(_ isSet: Bool) -> JSON { isSet ? true : .null }
}
