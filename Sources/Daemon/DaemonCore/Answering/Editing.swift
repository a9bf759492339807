import CratesInterface
import LibraryModel
import LibraryStore

/// Converts calls that edit into requests. Names are resolved in the library that the edit is
/// decided on.
enum Editing {
  /// Returns nil for a call that edits nothing.
  static func request(
    _ call: Call, _ answer: @escaping Librarian.AnswerMaker
  ) -> Librarian.EditRequest? {
    if let request = steps(call, answer) { return request }
    guard let (sequence, isDryRun, find) = edit(call) else { return nil }
    return Librarian.EditRequest(
      sequence: sequence, action: .edit(find), isDryRun: isDryRun, answer: answer)
  }

  private static func steps(
    _ call: Call, _ answer: @escaping Librarian.AnswerMaker
  ) -> Librarian.EditRequest? {
    switch call {
    case .undo(_, _, _, let only?, let sequence, let isDryRun):
      return Librarian.EditRequest(
        sequence: sequence, action: .undoOne(only), isDryRun: isDryRun, answer: answer)
    case .undo(let count, let number, let change, _, let sequence, let isDryRun):
      let steps = number.map { UndoSteps.to($0) } ?? .count(count ?? 1)
      return Librarian.EditRequest(
        sequence: sequence, action: .undo(steps, only: change), isDryRun: isDryRun, answer: answer)
    case .redo(let count, let number, let sequence, let isDryRun):
      let steps = number.map { UndoSteps.to($0) } ?? .count(count ?? 1)
      return Librarian.EditRequest(
        sequence: sequence, action: .redo(steps), isDryRun: isDryRun, answer: answer)
    default: return nil
    }
  }

  private typealias Finding = @Sendable (Library) throws(InterfaceError) -> Edit

  private static func edit(_ call: Call) -> (sequence: Int?, isDryRun: Bool, Finding)? {
    switch call {
    case .moveAlbums(let albums, let place, let crate, let gather, let sequence, let isDryRun):
      (
        sequence, isDryRun,
        { (library: Library) throws(InterfaceError) -> Edit in
          try moveAlbums(albums, place, crate, Gathering(gather), library)
        }
      )
    case .moveSongs(let songs, let place, let gather, let sequence, let isDryRun):
      (
        sequence, isDryRun,
        { (library: Library) throws(InterfaceError) -> Edit in
          try moveSongs(songs, place, Gathering(gather), library)
        }
      )
    case .moveCrate(let crate, let place, let sequence, let isDryRun):
      (
        sequence, isDryRun,
        { (library: Library) throws(InterfaceError) -> Edit in
          .moveCrate(
            try Resolving.crate(crate, in: library).name,
            try Resolving.place(place) { name throws(InterfaceError) in
              try Resolving.crate(name, in: library).name
            })
        }
      )
    case .renameCrate(let crate, let name, let sequence, let isDryRun):
      (sequence, isDryRun, { _ in .renameCrate(crate, to: name) })
    case .sortAlbums(let albums, let order, let ascending, let sequence, let isDryRun):
      (sequence, isDryRun, sortAlbums(albums, order, ascending))
    case .sortSongs(let songs, let order, let ascending, let sequence, let isDryRun):
      (sequence, isDryRun, sortSongs(songs, order, ascending))
    case .forget(let songs, let albums, let folder, let all, let sequence, let isDryRun):
      (
        sequence, isDryRun,
        { (library: Library) throws(InterfaceError) -> Edit in
          try forget(songs ?? [], albums ?? [], folder, all, library)
        }
      )
    default: nil
    }
  }

  private static func forget(
    _ songs: [String], _ albums: [String], _ folder: String?, _ all: Bool, _ library: Library
  ) throws(InterfaceError) -> Edit {
    var path: BytePath?
    if let folder {
      guard let found = BytePath(uriOrPath: folder) else {
        throw .invalidParameter(parameter: "folder")
      }
      path = found
    }
    return .forget(
      songs: try found(songs, library), albums: try found(albums, library), folder: path, all: all)
  }

  private static func moveAlbums(
    _ ids: [String], _ place: Interface.Place?, _ crate: String?, _ gathering: Gathering,
    _ library: Library
  ) throws(InterfaceError) -> Edit {
    if ids.isEmpty { throw .invalidParameter(parameter: "albums") }
    if place == nil && crate == nil { throw .invalidParameter(parameter: "place") }
    let albums: [AlbumID] = try found(ids, library)
    var target: Place<AlbumID>?
    if let place {
      target = try Resolving.place(place) { id throws(InterfaceError) in
        try Resolving.album(id, in: library).id
      }
    }
    return .moveAlbums(albums, target, crate: crate, gathered: gathering)
  }

  private static func moveSongs(
    _ ids: [String], _ place: Interface.Place, _ gathering: Gathering, _ library: Library
  ) throws(InterfaceError) -> Edit {
    if ids.isEmpty { throw .invalidParameter(parameter: "songs") }
    let songs: [SongID] = try found(ids, library)
    let target = try Resolving.place(place) { id throws(InterfaceError) in
      try Resolving.song(id, in: library).id
    }
    return .moveSongs(songs, target, gathered: gathering)
  }

  private static func sortAlbums(
    _ ids: [String], _ order: Interface.AlbumOrder, _ ascending: Bool?
  ) -> Finding {
    let sorting: AlbumSorting =
      switch order {
      case .added: .added
      case .released: .released
      case .artist: .artist
      case .title: .title
      case .reversed: .reversed
      case .shuffled: .shuffled(seed: .random(in: 0 ... .max))
      }
    return { (library: Library) throws(InterfaceError) -> Edit in
      .sortAlbums(try found(ids, library), sorting, ascending: ascending)
    }
  }

  private static func sortSongs(
    _ ids: [String], _ order: Interface.SongOrder, _ ascending: Bool?
  ) -> Finding {
    let sorting: SongSorting =
      switch order {
      case .track: .track
      case .added: .added
      case .title: .title
      case .reversed: .reversed
      case .shuffled: .shuffled(seed: .random(in: 0 ... .max))
      }
    return { (library: Library) throws(InterfaceError) -> Edit in
      .sortSongs(try found(ids, library), sorting, ascending: ascending)
    }
  }

  private static func found(
    _ ids: [String], _ library: Library
  ) throws(InterfaceError) -> [AlbumID] {
    var albums: [AlbumID] = []
    for id in ids { albums.append(try Resolving.album(id, in: library).id) }
    return albums
  }

  private static func found(
    _ ids: [String], _ library: Library
  ) throws(InterfaceError) -> [SongID] {
    var songs: [SongID] = []
    for id in ids { songs.append(try Resolving.song(id, in: library).id) }
    return songs
  }
}

extension Gathering {
  fileprivate init(_ gather: Interface.Gathering?) { self = gather == .given ? .given : .kept }
}
