/// Which of several lists a player had read that made another one of it: of those that it can have
/// read, the one that explains it by the fewest steps, which are songs that moved, are missing and
/// were added; of equal ones, the newest.
///
/// - Parameter album: of a song; asked where the list was read anew.
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

/// Whether the player edited an old copy: `list` is `older` with some albums moved, and with none
/// of the moves that were made since. Then to turn `newest` into `list` takes the moves of both. It
/// takes fewer where one album may be what moved both times: then the player moved it once more.
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
