extension Decision {
  /// Songs move inside their one album; which album they are in is the tags' business.
  mutating func moveSongs(_ ids: [SongID], _ place: Place<SongID>) throws(Refusal) {
    if ids.isEmpty { throw .nothingChosen("songs") }
    var songs: [Song] = []
    for id in ids {
      guard let song = library.songs[id] else { throw .noSuchSong(id) }
      songs.append(song)
    }
    if Set(songs.map(\.album)).count > 1 { throw .notOneAlbum(ids) }
    guard let album = library.albums[songs[0].album] else { throw .noSuchSong(ids[0]) }
    let chosen = Set(ids)
    if case .before(let anchor) = place.normalized {
      guard let other = library.songs[anchor] else { throw .noSuchSong(anchor) }
      if other.album != album.id { throw .notOneAlbum(ids + [anchor]) }
      if chosen.contains(anchor) {
        throw .invalidPlace("the anchor is one of the songs to be moved")
      }
    }
    let now = library
    let goal = moving(chosen, to: place, in: album.entries) { id in
      guard let song = now.songs[id] else { return false }
      return song.album == album.id && !song.isGone
    }
    arrange(goal, in: album, by: .person)
    let what = ids.count == 1 ? "song" : "songs"
    summary = "move \(what) \(listed(ids)) \(place.words)"
  }

  /// Brings the album's entries into the order by the fewest changes. After an action of the
  /// person's the album is arranged, or not, as its order says.
  mutating func arrange(_ goal: [SongID], in album: Album, by author: Author) {
    let moves = fewestMoves(from: album.entries, to: goal)
    for move in moves {
      let entries = library.albums[album.id]?.entries ?? []
      make(
        .songMoved(
          move.item, after: move.after, wasAfter: predecessor(of: move.item, in: entries)),
        by: author)
    }
    guard author == .person, !moves.isEmpty, let now = library.albums[album.id] else { return }
    let isArranged = now.entries != library.defaultEntries(of: now)
    if isArranged != now.isArranged { make(.albumArranged(now.id, isArranged), by: author) }
  }
}

extension Library {
  /// The album's entries in default order; slots of songs that live elsewhere included.
  func defaultEntries(of album: Album) -> [SongID] {
    album.entries.compactMap { songs[$0] }.sorted(by: defaultOrder).map(\.id)
  }
}
