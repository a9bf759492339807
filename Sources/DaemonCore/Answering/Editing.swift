import CratesInterface
import LibraryModel

/// The edits among the calls, their names found in the library they will be decided on.
enum Editing {
  /// Nil for a call that edits nothing.
  static func request(
    _ call: Call, _ answer: @escaping Librarian.AnswerMaker
  ) -> Librarian.EditRequest? {
    let (sequence, wish): (Int?, Librarian.Wish)
    switch call {
    case .undo(let number): (sequence, wish) = (number, .undo)
    case .redo(let number): (sequence, wish) = (number, .redo)
    default:
      guard let (number, find) = edit(call) else { return nil }
      (sequence, wish) = (number, .edit(find))
    }
    return Librarian.EditRequest(sequence: sequence, wish: wish, answer: answer)
  }

  private typealias Finding = @Sendable (Library) throws(InterfaceError) -> Edit

  private static func edit(_ call: Call) -> (Int?, Finding)? {
    switch call {
    case .moveAlbums(let albums, let place, let crate, let sequence):
      (
        sequence,
        { (library: Library) throws(InterfaceError) -> Edit in
          try moveAlbums(albums, place, crate, library)
        }
      )
    case .moveSongs(let songs, let place, let sequence):
      (
        sequence,
        { (library: Library) throws(InterfaceError) -> Edit in
          try moveSongs(songs, place, library)
        }
      )
    case .moveCrate(let crate, let place, let sequence):
      (
        sequence,
        { (library: Library) throws(InterfaceError) -> Edit in
          .moveCrate(
            try Resolving.crate(crate, in: library).name,
            try Resolving.place(place) { name throws(InterfaceError) in
              try Resolving.crate(name, in: library).name
            })
        }
      )
    case .renameCrate(let crate, let name, let sequence):
      (sequence, { _ in .renameCrate(crate, to: name) })
    case .sortAlbums(let albums, let order, let sequence):
      (sequence, sortAlbums(albums, order))
    case .sortSongs(let songs, let order, let sequence):
      (sequence, sortSongs(songs, order))
    case .forget(let songs, let albums, let all, let sequence):
      (
        sequence,
        { (library: Library) throws(InterfaceError) -> Edit in
          .forget(
            songs: try found(songs ?? [], library), albums: try found(albums ?? [], library),
            all: all)
        }
      )
    default: nil
    }
  }

  private static func moveAlbums(
    _ ids: [String], _ place: Interface.Place?, _ crate: String?, _ library: Library
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
    return .moveAlbums(albums, target, crate: crate)
  }

  private static func moveSongs(
    _ ids: [String], _ place: Interface.Place, _ library: Library
  ) throws(InterfaceError) -> Edit {
    if ids.isEmpty { throw .invalidParameter(parameter: "songs") }
    let songs: [SongID] = try found(ids, library)
    let target = try Resolving.place(place) { id throws(InterfaceError) in
      try Resolving.song(id, in: library).id
    }
    return .moveSongs(songs, target)
  }

  private static func sortAlbums(_ ids: [String], _ order: Interface.AlbumOrder) -> Finding {
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
      .sortAlbums(try found(ids, library), sorting)
    }
  }

  private static func sortSongs(_ ids: [String], _ order: Interface.SongOrder) -> Finding {
    let sorting: SongSorting =
      switch order {
      case .track: .track
      case .added: .added
      case .title: .title
      case .reversed: .reversed
      case .shuffled: .shuffled(seed: .random(in: 0 ... .max))
      }
    return { (library: Library) throws(InterfaceError) -> Edit in
      .sortSongs(try found(ids, library), sorting)
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
