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
  var places: [SongID: Int] = [:]
  places.reserveCapacity(base.count)
  for (place, song) in base.enumerated() { places[song] = place }
  let kept = list.compactMap { places[$0] }
  let rank = Dictionary(
    kept.sorted().enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  let staying = longestIncreasing(kept.compactMap { rank[$0] }).count { $0 }
  return list.count - staying + base.count - kept.count
}

/// Whether a list is an older one in which albums were moved, and nothing is of what was moved
/// since then: nobody moves all that back, exactly, and others at once. Where one album may be what
/// moved both times, somebody moves it back and past its place.
private func isBehind(
  _ list: [SongID], _ older: [SongID], _ newest: [SongID], album: (SongID) -> AlbumID?
) -> Bool {
  let (before, now, made) = (
    GatheredSongs(older, album: album).albums, GatheredSongs(newest, album: album).albums,
    GatheredSongs(list, album: album).albums
  )
  let (ours, theirs) = (AlbumMoves(from: before, to: now), AlbumMoves(from: before, to: made))
  return ours.count > 0 && theirs.count > 0 && ours.possible.isDisjoint(with: theirs.possible)
    && AlbumMoves(from: now, to: made).count == ours.count + theirs.count
}

/// By what moves the albums of one order came into another one.
private struct AlbumMoves {
  /// The fewest that do it.
  private(set) var count = 0
  /// All that move in one of the ways to do it with so few: of two neighbours that change places,
  /// either.
  private(set) var possible: Set<AlbumID> = []

  init(from before: [AlbumID], to after: [AlbumID]) {
    let places = Dictionary(
      before.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let albums = after.filter { places[$0] != nil }
    let ranks = albums.compactMap { places[$0] }
    // How long the longest run in order is that ends, and that begins, with each.
    let ending = Self.lengths(ranks)
    let beginning = Array(Self.lengths(ranks.reversed().map { -$0 }).reversed())
    let longest = ending.max() ?? 0
    count = albums.count - longest
    var staying = [Int](repeating: 0, count: longest + 1)
    let isInLongest = albums.indices.map { ending[$0] + beginning[$0] - 1 == longest }
    for place in albums.indices where isInLongest[place] { staying[ending[place]] += 1 }
    for place in albums.indices where !isInLongest[place] || staying[ending[place]] > 1 {
      possible.insert(albums[place])
    }
  }

  private static func lengths(_ ranks: [Int]) -> [Int] {
    // The least last one of the runs of each length.
    var ends: [Int] = []
    return ranks.map { rank in
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if ends[middle] < rank { low = middle + 1 } else { high = middle }
      }
      if low == ends.count { ends.append(rank) } else { ends[low] = rank }
      return low + 1
    }
  }
}
