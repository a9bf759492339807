/// A call of org.crated.Crates: one case for each method. An absent parameter means what the method
/// did before it had that parameter.
package enum Call: Sendable, Hashable {
  case status
  case listCrates
  case listAlbums(crate: String?, albums: [String]? = nil, gone: Bool, first: Int?, count: Int?)
  case listSongs(
    crate: String?, album: String?, songs: [String]? = nil, gone: Bool, first: Int?, count: Int?)
  case resolve(
    words: [[String]], wanted: [Interface.Kind]? = nil, beginning: Bool = false, count: Int? = nil)
  case match(wanted: [Interface.Wanted], relativeTo: String? = nil, roots: [Interface.Root] = [])
  case search(query: String, crate: String? = nil, limit: Int?)
  case moveAlbums(
    albums: [String], place: Interface.Place?, crate: String?, gather: Interface.Gathering? = nil,
    sequence: Int?, dryRun: Bool = false)
  case moveSongs(
    songs: [String], place: Interface.Place, gather: Interface.Gathering? = nil, sequence: Int?,
    dryRun: Bool = false)
  case moveCrate(crate: String, place: Interface.Place, sequence: Int?, dryRun: Bool = false)
  case renameCrate(crate: String, name: String, sequence: Int?, dryRun: Bool = false)
  case sortAlbums(
    albums: [String], order: Interface.AlbumOrder, ascending: Bool? = nil, sequence: Int?,
    dryRun: Bool = false)
  case sortSongs(
    songs: [String], order: Interface.SongOrder, ascending: Bool? = nil, sequence: Int?,
    dryRun: Bool = false)
  case readText(crate: String?, album: String? = nil, songs: Bool? = nil)
  case applyText(
    text: String, sequence: Int, crate: String?, album: String? = nil, songs: Bool? = nil,
    partial: Bool = false, origin: String? = nil, dryRun: Bool = false)
  case undo(
    count: Int? = nil, to: Int? = nil, change: Int? = nil, only: Int? = nil, sequence: Int?,
    dryRun: Bool = false)
  case redo(count: Int? = nil, to: Int? = nil, sequence: Int?, dryRun: Bool = false)
  case history(limit: Int?, before: Int?)
  case forget(
    songs: [String]?, albums: [String]?, folder: String? = nil, all: Bool, sequence: Int?,
    dryRun: Bool = false)
  case watch(since: Int?)
  case sync
  case rescan(path: String?)
  case problems
  case watchStatus
  case trace
  case artwork(album: String)
  case thumbnails(albums: [String], side: Int, form: Interface.ThumbnailForm? = nil)
  case machines
  case joinMachines(mine: Bool = false, dryRun: Bool = false)
  case dropMachine(machine: String)
}

extension Call {
  /// The methods by their names in the interface.
  package enum Method: String, Sendable, CaseIterable {
    case status = "Status"
    case listCrates = "ListCrates"
    case listAlbums = "ListAlbums"
    case listSongs = "ListSongs"
    case resolve = "Resolve"
    case match = "Match"
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
    case watchStatus = "WatchStatus"
    case trace = "Trace"
    case artwork = "Artwork"
    case thumbnails = "Thumbnails"
    case machines = "Machines"
    case joinMachines = "JoinMachines"
    case dropMachine = "DropMachine"

    /// The name as it appears in a message: org.crated.Crates.Status.
    package var fullName: String { "\(Interface.name).\(rawValue)" }

    /// Whether the method must be called with "more".
    package var needsMore: Bool { self == .watch || self == .watchStatus }
  }

  package var method: Method {
    switch self {
    case .status: .status
    case .listCrates: .listCrates
    case .listAlbums: .listAlbums
    case .listSongs: .listSongs
    case .resolve: .resolve
    case .match: .match
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
    case .watchStatus: .watchStatus
    case .trace: .trace
    case .artwork: .artwork
    case .thumbnails: .thumbnails
    case .machines: .machines
    case .joinMachines: .joinMachines
    case .dropMachine: .dropMachine
    }
  }
}
