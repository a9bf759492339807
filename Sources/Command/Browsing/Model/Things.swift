/// The items to which a command applies: the selection or the item under the cursor. They are
/// stored by id, so that changes of the lists don't affect a command whose sheet is still open.
enum Things: Hashable, Sendable {
  case albums([AlbumID])
  case songs([String], of: AlbumID)
  case crate(CrateID)

  var count: Int {
    switch self {
    case .albums(let ids): ids.count
    case .songs(let ids, _): ids.count
    case .crate: 1
    }
  }
}

extension Browser {
  /// The items to which a command applies now; nil if there are none.
  var meantThings: Things? {
    switch pane {
    case .crates: return currentCrate.map { .crate($0) }
    case .albums: return meantAlbums.isEmpty ? nil : .albums(meantAlbums)
    case .songs:
      let ids = songList.meant(in: songs)
      return ids.isEmpty ? nil : currentAlbum.map { .songs(ids, of: $0) }
    }
  }

  /// Returns those of the items that still exist; nil if none do.
  func left(of things: Things) -> Things? {
    switch things {
    case .albums(let ids):
      let left = ids.filter { shown.home(of: $0) != nil }
      return left.isEmpty ? nil : .albums(left)
    case .songs(let ids, let album):
      if shown.home(of: album) == nil { return nil }
      let left = ids.filter { shown.songs[album]?.contains($0) ?? true }
      return left.isEmpty ? nil : .songs(left, of: album)
    case .crate(let crate): return shown.contains(crate) ? things : nil
    }
  }

  /// Returns the name of a single item, or the count of several.
  func name(of things: Things) -> String {
    switch things {
    case .albums(let ids):
      ids.count == 1 ? tables[ids[0]].title : Words.count(ids.count, "album")
    case .songs(let ids, _):
      ids.count == 1 ? songFacts[ids[0]]?.title ?? "1 song" : Words.count(ids.count, "song")
    case .crate(let crate): shown.name(of: crate)
    }
  }

  /// Shows a notice that the items no longer exist.
  mutating func noteGone(_ things: Things, undone: String) {
    notice = Notice(text: "\(name(of: things)) went away; nothing is \(undone)", isFault: true)
  }
}
