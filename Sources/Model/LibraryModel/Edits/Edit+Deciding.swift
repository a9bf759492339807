extension Library {
  /// What the edit changes, or a refusal. Nothing to do is no change, and no error.
  ///
  /// - Parameter newAlbums: the crate that is kept while it is empty.
  package func decide(_ edit: Edit, newAlbums: String?) throws(Refusal) -> Decision {
    var decision = Decision(library: self, by: .person)
    switch edit {
    case .moveAlbums(let albums, let place, let crate, let gathering):
      try decision.moveAlbums(albums, place, crate: crate, gathering)
      decision.dropEmptyCrates(except: newAlbums)
    case .moveSongs(let songs, let place, let gathering):
      try decision.moveSongs(songs, place, gathering)
    case .moveCrate(let name, let place):
      try decision.moveCrate(name, place)
    case .renameCrate(let name, let new):
      try decision.renameCrate(name, to: new)
    case .sortAlbums(let albums, let sorting, let ascending):
      try decision.sortAlbums(albums, sorting, ascending)
    case .sortSongs(let songs, let sorting, let ascending):
      try decision.sortSongs(songs, sorting, ascending)
    case .forget(let songs, let albums, let folder, let all):
      try decision.forget(songs: songs, albums: albums, folder: folder, all: all)
      decision.dropEmptyCrates(except: newAlbums)
    }
    decision.touch(albums(of: edit))
    decision.tell(.edit(edit), from: self)
    return decision
  }

  /// The albums whose order, or whose songs' order, is what the edit asks for.
  private func albums(of edit: Edit) -> [AlbumID] {
    switch edit {
    case .moveAlbums(let ids, _, _, _), .sortAlbums(let ids, _, _): ids
    case .moveSongs(let ids, _, _), .sortSongs(let ids, _, _): ids.compactMap { songs[$0]?.album }
    case .moveCrate, .renameCrate, .forget: []
    }
  }
}

extension Decision {
  /// What the person named counts as touched, also what the fewest moves leave where it is. Where
  /// nothing changes, nothing was decided. The first time is said, for undo to take it back.
  mutating func touch(_ ids: [AlbumID]) {
    if changes.isEmpty { return }
    for album in ids.compactMap(library.album)
    where library.touches[album.id] != .all || !before.isMoved(album.id) {
      make(.albumTouched(album.id))
    }
  }

  fileprivate mutating func moveAlbums(
    _ ids: [AlbumID], _ place: Place<AlbumID>?, crate name: String?, _ gathering: Gathering
  ) throws(Refusal) {
    let albums = try resolved(ids)
    let chosen = Set(albums.map(\.id))
    guard let target = try targetCrate(of: albums, place, named: name, chosen: chosen) else {
      return moveWithin(albums, place ?? .top, gathering)
    }
    if target.isNew {
      make(.crateAdded(target.name, after: library.crates.last?.name))
    }
    guard let crate = library.crate(named: target.name) else { return }
    if albums.count == 1, let place, albums[0].crate == crate.id {
      moveOne(albums[0], to: place, in: crate)
    } else {
      bring(
        chosen, as: gathering == .given ? albums.map(\.id) : nil, to: place, in: crate)
    }
  }

  /// Moves albums of any crates, of which some may be in this one.
  ///
  /// - Parameter given: the order they shall have; nil for that of now.
  private mutating func bring(
    _ chosen: Set<AlbumID>, as given: [AlbumID]?, to place: Place<AlbumID>?, in crate: Crate
  ) {
    // Albums that are there already stay, where no place was asked for.
    let now = library
    let moved = place == nil ? chosen.filter { now.albums[$0]?.crate != crate.id } : chosen
    // Albums of many crates are looked for in all of them.
    let order =
      given?.filter(moved.contains)
      ?? (moved.count > 1 ? now.crates.flatMap { $0.albums.filter(moved.contains) } : Array(moved))
    if let id = order.first, order.count == 1 {
      var list = crate.albums
      if now.albums[id]?.crate != crate.id { list.append(id) }
      let way = SingleMove(of: id, to: place ?? .top, in: list) { now.isListed($0) }
      let above = way.map { $0.predecessors(in: list).new } ?? predecessor(of: id, in: list)
      move(id, to: crate, after: above)
    } else {
      // What was above in the crates' order stays above among the moved, unless another is given.
      let goal = bringing(order, to: place ?? .top, in: Array(crate.albums)) { now.isListed($0) }
      arrange(goal, in: crate, chosen: moved)
    }
  }

  private mutating func moveWithin(
    _ albums: [Album], _ place: Place<AlbumID>, _ gathering: Gathering
  ) {
    guard let crate = library.crate(albums[0].crate) else { return }
    let now = library
    if albums.count == 1 {
      moveOne(albums[0], to: place, in: crate)
    } else {
      let chosen = Set(albums.map(\.id))
      let goal = moving(chosen, to: place, in: Array(crate.albums)) { now.isListed($0) }
      let isGiven = gathering == .given && !place.isStep
      arrange(
        isGiven ? reordered(goal, albums.map(\.id)) : goal, in: crate, chosen: chosen)
    }
  }

  /// What `arrange` would come to, without comparing two orders: nothing else moves.
  private mutating func moveOne(_ album: Album, to place: Place<AlbumID>, in crate: Crate) {
    let now = library
    let move = SingleMove(of: album.id, to: place, in: crate.albums) { now.isListed($0) }
    guard let above = move?.predecessors(in: crate.albums) else { return }
    make(
      .albumMoved(
        album.id, crate: crate.name, after: above.new, wasCrate: crate.name, wasAfter: above.old))
  }

  /// The albums of the ids, each once.
  func resolved(_ ids: [AlbumID]) throws(Refusal) -> [Album] {
    if ids.isEmpty { throw .nothingChosen("albums") }
    var albums: [Album] = []
    var seen: Set<AlbumID> = []
    for id in ids {
      guard let album = library.album(id) else { throw .noSuchAlbum(id) }
      if seen.insert(album.id).inserted { albums.append(album) }
    }
    return albums
  }

  /// The crate the albums go to; nil where they move inside their one crate.
  private func targetCrate(
    of albums: [Album], _ place: Place<AlbumID>?, named name: String?, chosen: Set<AlbumID>
  ) throws(Refusal) -> (name: String, isNew: Bool)? {
    let anchor = try anchorCrate(place, chosen: chosen)
    if let name {
      let target = library.crate(named: name)
      if target == nil, let fault = crateNameFault(name) {
        throw .invalidName(name, reason: fault)
      }
      if place == .up || place == .down {
        throw .invalidPlace(
          "up and down stay in the crate; with another crate, write top or bottom")
      }
      if let anchor, anchor.id != target?.id {
        let title = place?.anchor.flatMap { library.album($0) }.map { library.face(of: $0).title }
        throw .invalidPlace("\(title ?? "that album") is in \(anchor.name), not in \(name)")
      }
      return (target?.name ?? name, target == nil)
    }
    if let anchor { return (anchor.name, false) }
    if Set(albums.map(\.crate)).count > 1 {
      throw .invalidPlace("they are in several crates; say which one they go to: to CRATE")
    }
    return nil
  }

  private func anchorCrate(
    _ place: Place<AlbumID>?, chosen: Set<AlbumID>
  ) throws(Refusal) -> Crate? {
    guard case .before(let id)? = place.map(\.normalized) else { return nil }
    guard let album = library.album(id) else { throw .noSuchAlbum(id) }
    if chosen.contains(album.id) {
      throw .invalidPlace("an album can't go before or after itself")
    }
    return library.crate(album.crate)
  }

  /// Brings the crate's albums into the order, by the fewest changes. Albums of other crates come.
  mutating func arrange(
    _ goal: [AlbumID], in crate: Crate, chosen: Set<AlbumID> = []
  ) {
    let order = Array(crate.albums)
    if goal.count == order.count {
      // None comes, as in most edits: the others need not be looked at.
      for move in fewestMoves(from: order, to: goal, chosen: chosen) {
        self.move(move.item, to: crate, after: move.after)
      }
      return
    }
    let members = Set(order)
    let moves = fewestMoves(from: order, to: goal.filter(members.contains), chosen: chosen)
    let moved = Set(moves.map(\.item))
    var previous: AlbumID?
    for id in goal {
      if !members.contains(id) || moved.contains(id) {
        move(id, to: crate, after: previous)
      }
      previous = id
    }
  }

  mutating func move(_ id: AlbumID, to crate: Crate, after anchor: AlbumID?) {
    guard let album = library.albums[id], let old = library.crate(album.crate) else { return }
    make(
      .albumMoved(
        id, crate: crate.name, after: anchor, wasCrate: old.name,
        wasAfter: predecessor(of: id, in: old.albums)))
  }

  /// A crate goes when its last album leaves.
  mutating func dropEmptyCrates(except kept: String?) {
    let kept = kept.map(folded)
    for crate in library.crates where crate.albums.isEmpty && crate.folded != kept {
      let names = library.crates.map(\.name)
      make(
        .crateRemoved(
          crate.name, wasAfter: predecessor(of: crate.name, in: names), id: crate.id))
    }
  }

  fileprivate mutating func moveCrate(
    _ name: String, _ place: Place<String>
  ) throws(Refusal) {
    guard let crate = library.crate(named: name) else { throw .noSuchCrate(name) }
    let place = try place.mapped { anchor throws(Refusal) in
      guard let other = library.crate(named: anchor) else { throw .noSuchCrate(anchor) }
      if other.id == crate.id { throw .invalidPlace("a crate can't go before or after itself") }
      return other.name
    }
    let names = library.crates.map(\.name)
    let listed = Set(library.crates.filter(library.isListed).map(\.name) + [crate.name])
    let goal = moving([crate.name], to: place, in: names, isListed: listed.contains)
    if goal != names {
      make(
        .crateMoved(
          crate.name, after: predecessor(of: crate.name, in: goal),
          wasAfter: predecessor(of: crate.name, in: names)))
    }
  }

  fileprivate mutating func renameCrate(_ name: String, to new: String) throws(Refusal) {
    guard let crate = library.crate(named: name) else { throw .noSuchCrate(name) }
    if let fault = crateNameFault(new) { throw .invalidName(new, reason: fault) }
    if let other = library.crate(named: new), other.id != crate.id { throw .crateExists(new) }
    if !crate.name.utf8.elementsEqual(new.utf8) {
      make(.crateRenamed(crate.name, to: new))
    }
  }
}
