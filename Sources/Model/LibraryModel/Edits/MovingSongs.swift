extension Decision {
  /// Songs move inside their one album; which album they are in is the tags' business.
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
    let goal = moving(chosen, to: place, in: album.entries) { id in
      now.songs[id].map { $0.album == album.id && !$0.isGone } ?? false
    }
    let isGiven = gathering == .given && !place.isStep
    arrange(isGiven ? reordered(goal, unique(ids)) : goal, in: album, chosen: chosen)
  }

  /// Brings entries of the album, those that the goal names, into the goal's order by the fewest
  /// changes: its songs, or all with the slots of others. After an action of the person's the album
  /// is arranged, or not, as its order says.
  mutating func arrange(
    _ goal: [SongID], in album: Album, chosen: Set<SongID> = []
  ) {
    let named = Set(goal)
    let moves = fewestMoves(
      from: album.entries.filter(named.contains), to: goal, chosen: chosen)
    for move in moves {
      let entries = library.albums[album.id]?.entries ?? []
      make(
        .songMoved(
          move.item, in: album.id, after: move.after,
          wasAfter: predecessor(of: move.item, in: entries)))
    }
    if transaction.author == .person, !moves.isEmpty { noteArranged(album.id) }
  }

  /// After an action of the person's an album is arranged, or not, as its order says. Where that
  /// can't be judged, what the person did stays.
  mutating func noteArranged(_ id: AlbumID) {
    guard let album = library.albums[id] else { return }
    let isArranged = !library.isInDefaultOrder(album)
    if isArranged != album.isArranged { make(.albumArranged(id, isArranged)) }
  }
}

/// Each where it comes first.
func unique<Item: Hashable>(_ items: [Item]) -> [Item] {
  var seen: Set<Item> = []
  return items.filter { seen.insert($0).inserted }
}

extension Library {
  /// The songs that live in the album, gone ones included, without the slots of others.
  func members(of album: Album) -> [SongID] {
    album.entries.filter { songs[$0]?.album == album.id }
  }

  /// False where it is not known what a song's file says.
  fileprivate func isInDefaultOrder(_ album: Album) -> Bool {
    let songs = songs(of: album)
    let order = DefaultOrder(of: songs)
    // Without sorting them: most moves of a song are seen where it stands.
    return songs.allSatisfy(\.isKnown)
      && zip(songs, songs.dropFirst()).allSatisfy { !order.isBefore($1, $0) }
  }

  /// Nil where it is not known what a song's file says.
  func membersInDefaultOrder(of album: Album) -> [SongID]? {
    let songs = songs(of: album)
    guard songs.allSatisfy(\.isKnown) else { return nil }
    return songs.inDefaultOrder().map(\.id)
  }
}
