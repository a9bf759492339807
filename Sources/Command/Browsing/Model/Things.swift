/// What a command means: what was selected or under the cursor when it was given. It is known by
/// ids, so that nothing else is meant if lists change before a menu is answered.
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
  /// What a command means now; nil: nothing is there.
  var meantThings: Things? {
    switch pane {
    case .crates: return currentCrate.map { .crate($0) }
    case .albums: return meantAlbums.isEmpty ? nil : .albums(meantAlbums)
    case .songs:
      let ids = songList.meant(in: songs)
      return ids.isEmpty ? nil : currentAlbum.map { .songs(ids, of: $0) }
    }
  }

  /// What of it is still there; nil: nothing.
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

  /// One thing by its name, several by how many they are.
  func name(of things: Things) -> String {
    switch things {
    case .albums(let ids):
      ids.count == 1 ? tables[ids[0]].title : Words.count(ids.count, "album")
    case .songs(let ids, _):
      ids.count == 1 ? songFacts[ids[0]]?.title ?? "1 song" : Words.count(ids.count, "song")
    case .crate(let crate): shown.name(of: crate)
    }
  }

  /// Says that what was meant is not there any longer.
  mutating func noteGone(_ things: Things, undone: String) {
    notice = Notice(text: "\(name(of: things)) went away; nothing is \(undone)", isFault: true)
  }
}
