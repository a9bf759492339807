@testable import LibraryModel

/// What an edit names: that alone may move, and counts as touched.
struct Named {
  var albums: Set<AlbumID> = []
  var songs: Set<SongID> = []
  var crate: String?

  init(_ edit: Edit) {
    switch edit {
    case .moveAlbums(let ids, _, _, _), .sortAlbums(let ids, _, _): albums = Set(ids)
    case .moveSongs(let ids, _, _), .sortSongs(let ids, _, _): songs = Set(ids)
    case .moveCrate(let name, _): crate = name
    case .renameCrate, .forget: break
    }
  }

  /// - Returns: what is moved and was not named; nil where there is none.
  func stranger(in changes: [Change]) -> String? {
    for change in changes {
      switch change {
      case .albumMoved(let id, _, _, _, _) where !albums.contains(id): return "\(id)"
      case .songMoved(let id, _, _, _) where !songs.contains(id): return "\(id)"
      case .crateMoved(let name, _, _) where crate.map(plainName) != plainName(name): return name
      default: continue
      }
    }
    return nil
  }
}

/// The fewest moves of what was named that bring a list into another order, the slow way: what left
/// it, and all but a longest run of what stays.
func fewest<Item: Hashable>(
  from old: [Item], to now: [Item], moving isNamed: (Item) -> Bool
) -> Int {
  let stayed = old.filter(now.contains)
  let run = longestRun(stayed.compactMap(now.firstIndex)) { !isNamed(stayed[$0]) }
  return old.count - run
}

/// The length of a longest increasing run that leaves none of the pinned places out, the slow way.
private func longestRun(_ values: [Int], isPinned: (Int) -> Bool) -> Int {
  var best = [Int](repeating: .min, count: values.count)
  for place in values.indices {
    if !(0..<place).contains(where: isPinned) { best[place] = 1 }
    for before in 0..<place where values[before] < values[place] && best[before] > 0 {
      if ((before + 1)..<place).contains(where: isPinned) { continue }
      best[place] = max(best[place], best[before] + 1)
    }
  }
  let last = values.indices.filter { place in
    !values.indices[(place + 1)...].contains(where: isPinned)
  }
  return last.map { best[$0] }.max() ?? 0
}
