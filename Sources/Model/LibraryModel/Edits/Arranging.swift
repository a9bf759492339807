/// Changes of order: of the crates, of a crate's albums, of an album's songs. `Ordering` computes
/// the target order, and these functions make the fewest changes that lead to it. No other code
/// moves anything.
extension Decision {
  // MARK: Crates

  /// Brings the crates into an order.
  ///
  /// - Parameters:
  ///   - chosen: the crates that may move. Nil: all.
  ///   - names: the names of crates that are created.
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

  /// Removes crates that have become empty.
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

  /// Brings the albums that the goal names into its order. Albums of other crates are moved to this
  /// crate.
  ///
  /// - Parameter chosen: the albums of the crate that may move. Nil: all.
  mutating func arrange(_ goal: [AlbumID], in crate: Crate, chosen: Set<AlbumID>? = nil) {
    for (id, above) in fewestMoves(from: Array(crate.albums), to: goal, chosen: chosen) {
      move(id, to: crate, after: above)
    }
  }

  /// Moves albums of any crates, in this order, to a place in one crate.
  mutating func move(_ ids: [AlbumID], to place: Place<AlbumID>, of crate: Crate) {
    let now = library
    func isListed(_ id: AlbumID) -> Bool { now.unlisted[id] == nil }
    guard ids.count == 1 else {
      let goal = placing(ids, at: place, in: Array(crate.albums), isListed: isListed)
      return arrange(goal, in: crate, chosen: Set(ids))
    }
    // A single album is moved without iterating over the crate, so that the cost of an edit does
    // not grow with the library.
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
  /// - Parameter above: the crate below which this one is created if it does not exist. Nil: on
  ///   top.
  package mutating func put(
    _ id: AlbumID, into name: String, after anchor: AlbumID?, madeAfter above: String?
  ) {
    if library.crate(named: name) == nil { addCrate(name, after: above) }
    guard let crate = library.crate(named: name) else { return }
    move(id, to: crate, after: anchor)
  }

  // MARK: Songs

  /// Brings the entries that the goal names into its order: the album's songs, or all entries
  /// including slots. After an action of the user, updates whether the album is arranged.
  ///
  /// - Parameter chosen: the entries that may move. Nil: all.
  mutating func arrange(_ goal: [SongID], in album: Album, chosen: Set<SongID>? = nil) {
    let moves = fewestMoves(from: album.entries, to: goal, chosen: chosen)
    for (id, above) in moves { move(id, in: album.id, after: above) }
    if transaction.author == .person, !moves.isEmpty { noteArranged(album.id) }
  }

  /// Moves a song of the album, or a slot, directly behind another entry or to the top.
  mutating func move(_ id: SongID, in album: AlbumID, after anchor: SongID?) {
    let was = predecessor(of: id, in: library.albums[album]?.entries ?? [])
    if was == anchor { return }
    make(.songMoved(id, in: album, after: anchor, wasAfter: was))
  }

  /// Updates whether the album is arranged: it is, unless its songs are in default order. If the
  /// default order is unknown, the album counts as arranged.
  mutating func noteArranged(_ id: AlbumID) {
    guard let album = library.albums[id] else { return }
    let isArranged = !library.isInDefaultOrder(album)
    if isArranged != album.isArranged { make(.albumArranged(id, isArranged)) }
  }
}

extension Library {
  /// Returns the songs that are in the album, including gone ones, without the slots of other
  /// songs.
  func members(of album: Album) -> [SongID] {
    album.entries.filter { songs[$0]?.album == album.id }
  }

  /// Whether the songs are in default order. False if the tags of a song are unknown.
  fileprivate func isInDefaultOrder(_ album: Album) -> Bool {
    let songs = songs(of: album)
    let order = DefaultOrder(of: songs)
    // Compares neighbours instead of sorting, since most moves of a song show up where it stands.
    return songs.allSatisfy(\.isKnown)
      && zip(songs, songs.dropFirst()).allSatisfy { !order.isBefore($1, $0) }
  }

  /// Returns the songs in default order, or nil if the tags of a song are unknown.
  func membersInDefaultOrder(of album: Album) -> [SongID]? {
    let songs = songs(of: album)
    guard songs.allSatisfy(\.isKnown) else { return nil }
    return songs.inDefaultOrder().map(\.id)
  }
}
