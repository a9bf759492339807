/// Returns the version of a list that a player had read before it wrote another one. Of the
/// versions that it can have read, it is the one with the fewest steps to the new list, which are
/// moved, missing and added songs. Of equal ones it is the newest.
///
/// - Parameter album: returns the album of a song. Called only if `reading` is `anew`.
func nearestBase(
  of list: [SongID], among bases: [[SongID]], _ reading: EditedList.Reading = .held,
  album: (SongID) -> AlbumID? = { _ in nil }
) -> [SongID]? {
  var nearest: (base: [SongID], steps: Int)?
  for base in bases.reversed() {
    let steps = steps(from: base, to: list)
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

private func steps(from base: [SongID], to list: [SongID]) -> Int {
  let kept = Set(list)
  return fewestMoves(from: base, to: list).count + base.count { !kept.contains($0) }
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
