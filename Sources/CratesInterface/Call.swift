/// Everything a client can ask of org.crated.Crates: one case for each method.
package enum Call: Sendable, Hashable {
  case status
  case listCrates
  case listAlbums(crate: String?, gone: Bool, first: Int?, count: Int?)
  case listSongs(crate: String?, album: String?, gone: Bool, first: Int?, count: Int?)
  case search(query: String, limit: Int?)
  case moveAlbums(albums: [String], place: Interface.Place?, crate: String?, sequence: Int?)
  case moveSongs(songs: [String], place: Interface.Place, sequence: Int?)
  case moveCrate(crate: String, place: Interface.Place, sequence: Int?)
  case renameCrate(crate: String, name: String, sequence: Int?)
  case sortAlbums(albums: [String], order: Interface.AlbumOrder, sequence: Int?)
  case sortSongs(songs: [String], order: Interface.SongOrder, sequence: Int?)
  case readText(crate: String?)
  case applyText(text: String, sequence: Int, crate: String?)
  case undo(sequence: Int?)
  case redo(sequence: Int?)
  case history(limit: Int?, before: Int?)
  case forget(songs: [String]?, albums: [String]?, all: Bool, sequence: Int?)
  case watch(since: Int?)
  case sync
  case rescan(path: String?)
  case problems
  case artwork(album: String)
}

extension Call {
  /// The methods by their names in the interface.
  package enum Method: String, Sendable, CaseIterable {
    case status = "Status"
    case listCrates = "ListCrates"
    case listAlbums = "ListAlbums"
    case listSongs = "ListSongs"
    case search = "Search"
    case moveAlbums = "MoveAlbums"
    case moveSongs = "MoveSongs"
    case moveCrate = "MoveCrate"
    case renameCrate = "RenameCrate"
    case sortAlbums = "SortAlbums"
    case sortSongs = "SortSongs"
    case readText = "ReadText"
    case applyText = "ApplyText"
    case undo = "Undo"
    case redo = "Redo"
    case history = "History"
    case forget = "Forget"
    case watch = "Watch"
    case sync = "Sync"
    case rescan = "Rescan"
    case problems = "Problems"
    case artwork = "Artwork"

    /// As it stands in a message: org.crated.Crates.Status.
    package var fullName: String { "\(Interface.name).\(rawValue)" }

    /// Whether a call without "more" makes no sense.
    package var needsMore: Bool { self == .watch }
  }

  package var method: Method {
    switch self {
    case .status: .status
    case .listCrates: .listCrates
    case .listAlbums: .listAlbums
    case .listSongs: .listSongs
    case .search: .search
    case .moveAlbums: .moveAlbums
    case .moveSongs: .moveSongs
    case .moveCrate: .moveCrate
    case .renameCrate: .renameCrate
    case .sortAlbums: .sortAlbums
    case .sortSongs: .sortSongs
    case .readText: .readText
    case .applyText: .applyText
    case .undo: .undo
    case .redo: .redo
    case .history: .history
    case .forget: .forget
    case .watch: .watch
    case .sync: .sync
    case .rescan: .rescan
    case .problems: .problems
    case .artwork: .artwork
    }
  }

  /// The parameters as a client sends them. Empty optional ones are left out.
  package var parameters: JSON {
    let all: [(key: String, value: JSON)] =
      switch self {
      case .status, .listCrates, .sync, .problems: []
      case .listAlbums(let crate, let gone, let first, let count):
        [
          ("crate", JSON(crate)), ("gone", gone ? true : nil), ("first", JSON(first)),
          ("count", JSON(count)),
        ]
      case .listSongs(let crate, let album, let gone, let first, let count):
        [
          ("crate", JSON(crate)), ("album", JSON(album)), ("gone", gone ? true : nil),
          ("first", JSON(first)), ("count", JSON(count)),
        ]
      case .search(let query, let limit): [("query", .string(query)), ("limit", JSON(limit))]
      case .moveAlbums(let albums, let place, let crate, let sequence):
        [
          ("albums", JSON(albums)), ("place", place?.json ?? .null), ("crate", JSON(crate)),
          ("sequence", JSON(sequence)),
        ]
      case .moveSongs(let songs, let place, let sequence):
        [("songs", JSON(songs)), ("place", place.json), ("sequence", JSON(sequence))]
      case .moveCrate(let crate, let place, let sequence):
        [("crate", .string(crate)), ("place", place.json), ("sequence", JSON(sequence))]
      case .renameCrate(let crate, let name, let sequence):
        [("crate", .string(crate)), ("name", .string(name)), ("sequence", JSON(sequence))]
      case .sortAlbums(let albums, let order, let sequence):
        [
          ("albums", JSON(albums)), ("order", .string(order.rawValue)),
          ("sequence", JSON(sequence)),
        ]
      case .sortSongs(let songs, let order, let sequence):
        [
          ("songs", JSON(songs)), ("order", .string(order.rawValue)), ("sequence", JSON(sequence)),
        ]
      case .readText(let crate): [("crate", JSON(crate))]
      case .applyText(let text, let sequence, let crate):
        [("text", .string(text)), ("sequence", JSON(sequence)), ("crate", JSON(crate))]
      case .undo(let sequence), .redo(let sequence): [("sequence", JSON(sequence))]
      case .history(let limit, let before): [("limit", JSON(limit)), ("before", JSON(before))]
      case .forget(let songs, let albums, let all, let sequence):
        [
          ("songs", songs.map { JSON($0) } ?? .null), ("albums", albums.map { JSON($0) } ?? .null),
          ("all", all ? true : nil), ("sequence", JSON(sequence)),
        ]
      case .watch(let since): [("since", JSON(since))]
      case .rescan(let path): [("path", JSON(path))]
      case .artwork(let album): [("album", .string(album))]
      }
    return .object(JSON.Object(distinct: all.filter { $0.value != .null }))
  }
}
