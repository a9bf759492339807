import CratesInterface
import LibraryModel

/// The edits among the calls, their names found in the library they will be decided on.
enum Editing {
  /// Nil for a call that edits nothing.
  static func request(_ call: Call, _ answer: @escaping Answered) -> Librarian.EditRequest? {
    guard let (sequence, edit) = edit(call) else { return nil }
    return Librarian.EditRequest(sequence: sequence, edit: edit, answer: answer)
  }

  typealias Answered = @Sendable (Result<Interface.Change, InterfaceError>) -> Void
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
    default: nil
    }
  }

  private static func moveAlbums(
    _ ids: [String], _ place: Interface.Place?, _ crate: String?, _ library: Library
  ) throws(InterfaceError) -> Edit {
    if ids.isEmpty { throw .invalidParameter(parameter: "albums") }
    if place == nil && crate == nil { throw .invalidParameter(parameter: "place") }
    var albums: [AlbumID] = []
    for id in ids { albums.append(try Resolving.album(id, in: library).id) }
    var found: Place<AlbumID>?
    if let place {
      found = try Resolving.place(place) { id throws(InterfaceError) in
        try Resolving.album(id, in: library).id
      }
    }
    return .moveAlbums(albums, found, crate: crate)
  }

  private static func moveSongs(
    _ ids: [String], _ place: Interface.Place, _ library: Library
  ) throws(InterfaceError) -> Edit {
    if ids.isEmpty { throw .invalidParameter(parameter: "songs") }
    var songs: [SongID] = []
    for id in ids { songs.append(try Resolving.song(id, in: library).id) }
    let found = try Resolving.place(place) { id throws(InterfaceError) in
      try Resolving.song(id, in: library).id
    }
    return .moveSongs(songs, found)
  }
}
