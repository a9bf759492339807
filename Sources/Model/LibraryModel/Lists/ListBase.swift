/// Returns the version of a list that a player had read before it wrote another one. Of the
/// versions that it can have read, it is the one with the fewest steps to the new list. Of equal
/// ones it is the newest.
///
/// A step is an album that moved, is missing or was added, or such a song of an album that is in
/// both. An album counts once however many songs it has: a long album on top of the newest list is
/// no edit of an older list in which a short one moved.
///
/// - Parameter album: returns the album of a song. A song without one counts as an album.
func nearestBase(
  of list: [SongID], among bases: [[SongID]], _ reading: EditedList.Reading = .held,
  album: (SongID) -> AlbumID?
) -> [SongID]? {
  var nearest: (base: [SongID], steps: Int)?
  for base in bases.reversed() {
    let steps = steps(from: base, to: list, album: album)
    if steps < nearest?.steps ?? .max { nearest = (base, steps) }
  }
  guard let nearest, let newest = bases.last, nearest.base != newest else { return bases.last }
  switch reading {
  case .held: return nearest.base
  case .loaded: return nearest.steps == 0 ? newest : nearest.base
  case .anew:
    return isBehind(list, nearest.base, newest, album: album) ? nearest.base : newest
  }
}

private func steps(
  from base: [SongID], to list: [SongID], album: (SongID) -> AlbumID?
) -> Int {
  if base == list { return 0 }
  let (old, new) = (gathered(base, album), gathered(list, album))
  let ofSongs = old.albums.map { id in
    new.songs[id].map { steps(from: old.songs[id] ?? [], to: $0) } ?? 0
  }
  return max(1, ofSongs.reduce(steps(from: old.albums, to: new.albums), +))
}

private func steps<Item: Hashable>(from old: [Item], to new: [Item]) -> Int {
  let kept = Set(new)
  return fewestMoves(from: old, to: new).count + old.count { !kept.contains($0) }
}

private func gathered(_ list: [SongID], _ album: (SongID) -> AlbumID?) -> GatheredSongs {
  GatheredSongs(list) { album($0) ?? AlbumID(number: $0.number) }
}

/// Whether the player edited an old version: `list` is `older` with some albums moved, without the
/// moves that were made since. Turning `newest` into `list` then takes the moves of both. It takes
/// fewer if the same album may have been moved both times, which means that the player moved it
/// again.
private func isBehind(
  _ list: [SongID], _ older: [SongID], _ newest: [SongID], album: (SongID) -> AlbumID?
) -> Bool {
  let lists = [older, newest, list].map { GatheredSongs($0, album: album).albums }
  let common = lists.dropFirst().reduce(Set(lists[0])) { $0.intersection($1) }
  func moves(from: Int, to: Int) -> Int {
    fewestMoves(
      from: lists[from].filter(common.contains), to: lists[to].filter(common.contains)
    ).count
  }
  let (ours, theirs) = (moves(from: 0, to: 1), moves(from: 0, to: 2))
  return ours > 0 && theirs > 0 && moves(from: 1, to: 2) == ours + theirs
}
