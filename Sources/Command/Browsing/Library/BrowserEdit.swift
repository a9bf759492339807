import CratesInterface
import Ordering

/// An edit that the user requests, by the browser's own numbers.
enum BrowserEdit: Hashable, Sendable {
  /// - `crate`: the crate of the albums after the move.
  case moveAlbums([AlbumID], Place<AlbumID>?, crate: CrateID, name: String)
  case moveSongs([String], Place<String>, album: AlbumID)
  case moveCrate(CrateID, Place<CrateID>)
  case renameCrate(CrateID, to: String)
  case sortAlbums([AlbumID], Interface.AlbumOrder, isTurned: Bool)
  case sortSongs([String], Interface.SongOrder, isTurned: Bool)
  case undo, redo
  /// An undo that applies only if it would revert the change made by the given edit.
  case takeBack(edit: Int)
  case forgetGone
}

extension Order {
  /// Applies the edit to what is shown until the daemon answers. Edits whose result only the daemon
  /// knows are not predicted.
  mutating func predict(_ edit: BrowserEdit) {
    switch edit {
    case .moveAlbums(let ids, let place, let crate, let name):
      if !contains(crate) { self.name(crate, name) }
      move(ids, to: place, in: crate)
    case .moveSongs(let ids, let place, let album): move(songs: ids, of: album, to: place)
    case .moveCrate(let crate, let place): move(crate, to: place)
    case .renameCrate(let crate, let name): self.name(crate, name)
    case .sortAlbums, .sortSongs, .undo, .redo, .takeBack, .forgetGone: break
    }
  }
}

extension Interface.AlbumOrder {
  /// Whether the default direction is ascending; nil for an order without a direction.
  var isAscending: Bool? {
    switch self {
    case .added, .released: false
    case .artist, .title: true
    case .reversed, .shuffled: nil
    }
  }
}

extension Interface.SongOrder {
  var isAscending: Bool? {
    switch self {
    case .added: false
    case .track, .title: true
    case .reversed, .shuffled: nil
    }
  }
}

extension Interface.Place {
  init(_ place: Place<String>) {
    switch place {
    case .top: self.init(Interface.Where.top)
    case .bottom: self.init(Interface.Where.bottom)
    case .up: self.init(Interface.Where.up)
    case .down: self.init(Interface.Where.down)
    case .before(let anchor): self.init(.before, anchor: anchor)
    case .after(let anchor): self.init(.after, anchor: anchor)
    }
  }
}
