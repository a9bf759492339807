import CratesInterface
import Ordering

/// What the person asks of the daemon, by our numbers.
enum BrowserEdit: Hashable, Sendable {
  /// - `crate`: where they are then.
  case moveAlbums([AlbumID], Place<AlbumID>?, crate: CrateID, name: String)
  case moveSongs([String], Place<String>, album: AlbumID)
  case moveCrate(CrateID, Place<CrateID>)
  case renameCrate(CrateID, to: String)
  case sortAlbums([AlbumID], Interface.AlbumOrder, isTurned: Bool)
  case sortSongs([String], Interface.SongOrder, isTurned: Bool)
  case undo, redo
  /// An undo only of the change that an edit of ours came to: only if that is the one it would be.
  case takeBack(edit: Int)
  case forgetGone
}

extension Order {
  /// What is shown until the daemon answers. What only it can tell is not guessed.
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
  /// Which way it goes by itself; nil for one that goes no way.
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
