/// Changes of order: of the crates, of a crate's albums, of an album's songs. `Ordering` works out
/// what an order shall be; these functions make the fewest changes that lead to it. No other code
/// moves anything.
extension Decision {
  // MARK: Crates

  /// Brings the crates into an order.
  ///
  /// - Parameters:
  ///   - chosen: those that may move; nil: all.
  ///   - names: of those that come into being.
  mutating func arrange(
    _ goal: [CrateID], chosen: Set<CrateID>? = nil, names: [CrateID: String] = [:]
  ) {
    let moves = fewestMoves(from: library.crates.map(\.id), to: goal, chosen: chosen)
    for (id, anchor) in moves {
      let above = anchor.flatMap(library.crate)?.name
      if let crate = library.crate(id) {
        move(crate, after: above)
      } else if let name = names[id] {
        make(.crateAdded(name, after: above, id: id))
      }
    }
  }

  /// Moves a crate directly behind another one, or to the top.
  mutating func move(_ crate: Crate, after anchor: String?) {
    let was = predecessor(of: crate.name, in: library.crates.map(\.name))
    if was == anchor { return }
    make(.crateMoved(crate.name, after: anchor, wasAfter: was))
  }

  /// A crate goes when its last album leaves.
  package mutating func dropEmptyCrates(except kept: String?) {
    let kept = kept.map(folded)
    for crate in library.crates where crate.albums.isEmpty && crate.folded != kept {
      let names = library.crates.map(\.name)
      make(
        .crateRemoved(
          crate.name, wasAfter: predecessor(of: crate.name, in: names), id: crate.id))
    }
  }

  // MARK: Albums

  /// Brings albums of the crate, those that the goal names, into its order. Albums of other crates
  /// come.
  ///
  /// - Parameter chosen: those of the crate that may move; nil: all.
  mutating func arrange(_ goal: [AlbumID], in crate: Crate, chosen: Set<AlbumID>? = nil) {
    for (id, above) in fewestMoves(from: Array(crate.albums), to: goal, chosen: chosen) {
      move(id, to: crate, after: above)
    }
  }

  /// Moves albums of any crates, in this order, to a place of one.
  mutating func move(_ ids: [AlbumID], to place: Place<AlbumID>, of crate: Crate) {
    let now = library
    func isListed(_ id: AlbumID) -> Bool { now.unlisted[id] == nil }
    guard ids.count == 1 else {
      let goal = placing(ids, at: place, in: Array(crate.albums), isListed: isListed)
      return arrange(goal, in: crate, chosen: Set(ids))
    }
    // The same for one album, without a walk through the crate: an edit must not take longer in a
    // larger library.
    guard let gap = crate.albums.gap(for: Set(ids), at: place, isListed: isListed) else { return }
    let above = element(above: gap, in: crate.albums)
    if above != ids[0] { move(ids[0], to: crate, after: above) }
  }

  /// Moves an album directly behind another one of a crate, or to its top.
  mutating func move(_ id: AlbumID, to crate: Crate, after anchor: AlbumID?) {
    guard let album = library.albums[id], let old = library.crate(album.crate) else { return }
    let was = predecessor(of: id, in: old.albums)
    if old.id == crate.id, was == anchor { return }
    make(
      .albumMoved(id, crate: crate.name, after: anchor, wasCrate: old.name, wasAfter: was))
  }

  /// Puts an album directly behind another one of a crate, or on top of it.
  ///
  /// - Parameter above: the crate below which this one is made if it is not there; nil: as the
  ///   first.
  package mutating func put(
    _ id: AlbumID, into name: String, after anchor: AlbumID?, madeAfter above: String?
  ) {
    if library.crate(named: name) == nil { addCrate(name, after: above) }
    guard let crate = library.crate(named: name) else { return }
    move(id, to: crate, after: anchor)
  }

  // MARK: Songs

  /// Brings entries of the album, those that the goal names, into its order: its songs, or all with
  /// the slots of others. After an action of the person's the album is arranged, or not, as its
  /// order says.
  ///
  /// - Parameter chosen: those that may move; nil: all.
  mutating func arrange(_ goal: [SongID], in album: Album, chosen: Set<SongID>? = nil) {
    let moves = fewestMoves(from: album.entries, to: goal, chosen: chosen)
    for (id, above) in moves { move(id, in: album.id, after: above) }
    if transaction.author == .person, !moves.isEmpty { noteArranged(album.id) }
  }

  /// Moves a song of the album, or the slot that is kept for it, directly behind another entry or
  /// to the top.
  mutating func move(_ id: SongID, in album: AlbumID, after anchor: SongID?) {
    let was = predecessor(of: id, in: library.albums[album]?.entries ?? [])
    if was == anchor { return }
    make(.songMoved(id, in: album, after: anchor, wasAfter: was))
  }

  /// After an action of the person's an album is arranged, or not, as its order says. Where that
  /// can't be judged, what the person did stays.
  mutating func noteArranged(_ id: AlbumID) {
    guard let album = library.albums[id] else { return }
    let isArranged = !library.isInDefaultOrder(album)
    if isArranged != album.isArranged { make(.albumArranged(id, isArranged)) }
  }
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
