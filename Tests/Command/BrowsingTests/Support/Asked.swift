import CratesInterface
import Ordering

@testable import Browsing

// Calls and what is told, with only what the browser asks and looks at.

extension Call {
  static func moveAlbums(_ ids: [String], _ place: Place<String>?, crate: String?) -> Call {
    .moveAlbums(
      albums: ids, place: place.map { Interface.Place($0) }, crate: crate, sequence: nil)
  }

  static func moveSongs(_ ids: [String], _ place: Place<String>) -> Call {
    .moveSongs(songs: ids, place: Interface.Place(place), sequence: nil)
  }

  static func moveCrate(_ crate: String, _ place: Place<String>) -> Call {
    .moveCrate(crate: crate, place: Interface.Place(place), sequence: nil)
  }

  static func renameCrate(_ crate: String, to name: String) -> Call {
    .renameCrate(crate: crate, name: name, sequence: nil)
  }

  static func sortAlbums(
    _ ids: [String], _ order: Interface.AlbumOrder, ascending: Bool?
  ) -> Call {
    .sortAlbums(albums: ids, order: order, ascending: ascending, sequence: nil)
  }

  static func sortSongs(_ ids: [String], _ order: Interface.SongOrder, ascending: Bool?) -> Call {
    .sortSongs(songs: ids, order: order, ascending: ascending, sequence: nil)
  }
}

extension Interface.Change {
  init(
    isChange: Bool = true, sequence: Int, isPersons: Bool = true, summary: String = "",
    moves: [Interface.Move] = [], albums: [String] = [], isComplete: Bool = true
  ) {
    self.init(
      changed: isChange, sequence: sequence, time: "", author: isPersons ? .person : .folder,
      summary: summary, moves: moves, albums: albums, complete: isComplete)
  }
}

extension Interface.Place {
  var place: Place<String> {
    let anchor = anchor ?? ""
    return switch `where` {
    case .top: .top
    case .bottom: .bottom
    case .up: .up
    case .down: .down
    case .before: .before(anchor)
    case .after: .after(anchor)
    }
  }
}
