extension Library {
  /// Returns the changes that an edit makes. If there is nothing to do, there are no changes, which
  /// is no error.
  ///
  /// - Parameter newAlbums: the crate that is kept while it is empty.
  /// - Throws: the reason why nothing of it can be done.
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
      // The empty crate for new albums was kept for its name.
      decision.dropEmptyCrates(except: newAlbums)
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

  /// Returns the albums whose order, or whose songs' order, the edit asks for.
  private func albums(of edit: Edit) -> [AlbumID] {
    switch edit {
    case .moveAlbums(let ids, _, _, _), .sortAlbums(let ids, _, _): ids
    case .moveSongs(let ids, _, _), .sortSongs(let ids, _, _): ids.compactMap { songs[$0]?.album }
    case .moveCrate, .renameCrate, .forget: []
    }
  }
}

extension Decision {
  /// Marks the albums that the user named as touched, including those that the fewest moves leave
  /// in place. Does nothing if the edit changes nothing. The first touch is recorded as a change,
  /// so that undo can revert it.
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
    let target = try targetCrate(
      of: albums, place, named: name, chosen: Set(albums.map(\.id)))
    if target.isNew {
      make(.crateAdded(target.name, after: library.crates.last?.name))
    }
    guard let crate = library.crate(named: target.name) else { return }
    // If no place was given, albums that are in that crate already stay.
    let stays = name != nil && place == nil
    let moved = albums.filter { !stays || $0.crate != crate.id }.map(\.id)
    let isGiven = gathering == .given && place?.isStep != true || moved.count < 2
    move(isGiven ? moved : library.inOrder(moved), to: place ?? .top, of: crate)
  }

  /// Returns the albums with these ids, each once.
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

  /// Returns the crate that the albums go to: the named one, the anchor's, or their own.
  private func targetCrate(
    of albums: [Album], _ place: Place<AlbumID>?, named name: String?, chosen: Set<AlbumID>
  ) throws(Refusal) -> (name: String, isNew: Bool) {
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
    guard Set(albums.map(\.crate)).count == 1, let crate = library.crate(albums[0].crate) else {
      throw .invalidPlace("they are in several crates; say which one they go to: to CRATE")
    }
    return (crate.name, false)
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

  fileprivate mutating func moveCrate(
    _ name: String, _ place: Place<String>
  ) throws(Refusal) {
    guard let crate = library.crate(named: name) else { throw .noSuchCrate(name) }
    let place = try place.mapped { anchor throws(Refusal) in
      guard let other = library.crate(named: anchor) else { throw .noSuchCrate(anchor) }
      if other.id == crate.id { throw .invalidPlace("a crate can't go before or after itself") }
      return other.id
    }
    let listed = Set(library.crates.filter(library.isListed).map(\.id) + [crate.id])
    let goal = placing(
      [crate.id], at: place, in: library.crates.map(\.id), isListed: listed.contains)
    arrange(goal, chosen: [crate.id])
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
