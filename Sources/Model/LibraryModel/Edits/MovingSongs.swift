extension Decision {
  /// Moves songs within their album. The tags decide which album a song is in.
  mutating func moveSongs(
    _ ids: [SongID], _ place: Place<SongID>, _ gathering: Gathering
  ) throws(Refusal) {
    if ids.isEmpty { throw .nothingChosen("songs") }
    var songs: [Song] = []
    for id in ids {
      guard let song = library.songs[id] else { throw .noSuchSong(id) }
      songs.append(song)
    }
    guard Set(songs.map(\.album)).count == 1, let album = library.albums[songs[0].album] else {
      throw .notOneAlbum(ids)
    }
    let chosen = Set(ids)
    if case .before(let anchor) = place.normalized {
      guard let other = library.songs[anchor] else { throw .noSuchSong(anchor) }
      if other.album != album.id { throw .notOneAlbum(ids + [anchor]) }
      if chosen.contains(anchor) {
        throw .invalidPlace("a song can't go before or after itself")
      }
    }
    let now = library
    let isGiven = gathering == .given && !place.isStep
    let moved = isGiven ? unique(ids) : album.entries.filter(chosen.contains)
    let goal = placing(moved, at: place, in: album.entries) { id in
      now.songs[id].map { $0.album == album.id && !$0.isGone } ?? false
    }
    arrange(goal, in: album, chosen: chosen)
  }
}

/// Returns the items without repetitions, each at its first position.
func unique<Item: Hashable>(_ items: [Item]) -> [Item] {
  var seen: Set<Item> = []
  return items.filter { seen.insert($0).inserted }
}
