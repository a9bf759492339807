/// An error that a change does not fit the library that it is applied to, because of a damaged
/// journal or a bug.
package struct Misfit: Error, Sendable, CustomStringConvertible {
  package let description: String
}

extension Library {
  /// Applies a durable transaction with a higher number than the library's.
  ///
  /// - Throws: if a change does not fit. The changes before it have been applied then.
  package mutating func apply(_ transaction: Transaction) throws(Misfit) {
    for change in transaction.changes { try apply(change, by: transaction.author) }
    advance(to: transaction.sequence)
  }

  /// Applies a change. No other code alters the user's order.
  ///
  /// - Throws: if the change does not fit. Parts of it may have been applied then.
  package mutating func apply(_ change: Change, by author: Author) throws(Misfit) {
    switch change {
    case .crateAdded, .crateRemoved, .crateMoved, .crateRenamed:
      try applyToCrates(change)
    case .albumAdded, .albumMoved, .albumRemoved, .albumArranged, .albumTouched,
      .firstScanEnded, .albumRegrouped, .albumTookOver, .aliasDropped, .aliasRestored:
      try applyToAlbums(change, by: author)
    case .songAdded, .songMoved, .songRegrouped, .songFollowed, .songRetagged, .songGone,
      .songForgotten:
      try applyToSongs(change, by: author)
    case .slotDropped, .slotRestored:
      try applyToSlots(change)
    }
  }

  /// Attaches what was read from the song's file. This does not change the order.
  package mutating func attach(_ facts: FileFacts?, to id: SongID) {
    if let song = songs[id] { put(song.with(facts)) }
  }

  // MARK: Crates

  private mutating func applyToCrates(_ change: Change) throws(Misfit) {
    switch change {
    case .crateAdded(let name, let after, let id):
      if crate(named: name) != nil { throw Misfit(description: "crate \(name) is there already") }
      let place = try placeOfCrate(after: after)
      let id = id ?? mintCrate(name)
      if crate(id) != nil { throw Misfit(description: "crate \(id) is there already") }
      crates.insert(Crate(id: id, name: name, albums: []), at: place)
    case .crateRemoved(let name, _, _):
      let place = try indexOfCrate(name)
      if !crates[place].albums.isEmpty { throw Misfit(description: "crate \(name) holds albums") }
      crates.remove(at: place)
    case .crateMoved(let name, let after, _):
      let crate = crates.remove(at: try indexOfCrate(name))
      crates.insert(crate, at: try placeOfCrate(after: after))
    case .crateRenamed(let name, let new):
      let place = try indexOfCrate(name)
      if let other = crate(named: new), other.id != crates[place].id {
        throw Misfit(description: "crate \(new) is there already")
      }
      crates[place].name = new
    default: preconditionFailure("a change of crates")
    }
  }

  /// Returns an id for a new crate. It differs from the ids of removed crates.
  func mintCrate(_ name: String) -> CrateID {
    let words = Array("crate\t\(name)\t\(sequence)".utf8)
    return CrateID(
      number: IdentifierText.mint(words) { number in crates.contains { $0.id.number == number } })
  }

  func indexOfCrate(_ name: String) throws(Misfit) -> Int {
    let name = folded(name)
    guard let place = crates.firstIndex(where: { $0.folded == name }) else {
      throw Misfit(description: "no crate \(name)")
    }
    return place
  }

  private func placeOfCrate(after anchor: String?) throws(Misfit) -> Int {
    guard let anchor else { return 0 }
    return try indexOfCrate(anchor) + 1
  }

  // MARK: Albums

  private mutating func applyToAlbums(_ change: Change, by author: Author) throws(Misfit) {
    switch change {
    case .albumAdded(let id, let record):
      if album(id) != nil { throw Misfit(description: "album \(id) is there already") }
      let place = try indexOfCrate(record.crate)
      try insert(id, inCrate: place, after: record.after)
      albums[id] = Album(
        id: id, crate: crates[place].id, group: record.group, isArranged: record.isArranged,
        isFresh: record.isFresh, seen: record.seen)
      setListedCount(0, of: id)
      noteArrival(of: id)
      if record.isTouched { setTouch(.some, of: id) }
    case .albumMoved(let id, let crate, let after, _, _):
      let album = try known(id)
      let place = try indexOfCrate(crate)
      if crates[place].id == album.crate {
        guard crates[place].albums.move(id, after: after) else {
          throw Misfit(description: "album \(id) or what is above it is not in crate \(crate)")
        }
      } else {
        try take(album)
        try insert(id, inCrate: place, after: after)
        albums[id] = album.with(crate: crates[place].id)
      }
      if author != .folder { touch(id) }
    case .albumRemoved(let id, _):
      try remove(try known(id))
    case .albumArranged(let id, let isArranged):
      albums[id] = try known(id).with(isArranged: isArranged)
      if author != .folder { touch(id) }
    case .albumTouched(let id, let isNew):
      if !isNew { touch(try known(id).id) }
      setNew(isNew, try known(id).id)
    case .firstScanEnded(let folder):
      for album in albums.values where album.isFresh {
        // Albums are usually decided by their first song.
        let isInside = album.entries.contains { id in
          songs[id].map { $0.album == album.id && $0.path.isInside(folder) } ?? false
        }
        guard isInside else { continue }
        albums[album.id] = album.with(isFresh: false)
      }
    case .albumRegrouped(let id, let group, _, let alias):
      let album = try known(id)
      for song in songs(of: album) { put(song.with(group: group)) }
      albums[id] = album.with(group: group, aliases: alias.map { album.aliases + [$0] })
      if let alias { aliases[alias] = id }
    case .albumTookOver(let id, let other):
      try takeOver(try known(id), other: try known(other))
    case .aliasDropped(let alias, let id):
      let album = try known(id)
      // Dropping a missing id is no error.
      guard aliases[alias] == id else { return }
      aliases[alias] = nil
      albums[id] = album.with(aliases: album.aliases.filter { $0 != alias })
    case .aliasRestored(let alias, let id):
      let album = try known(id)
      if self.album(alias) != nil {
        throw Misfit(description: "album \(alias) is there already")
      }
      aliases[alias] = id
      albums[id] = album.with(aliases: album.aliases + [alias])
    default: preconditionFailure("a change of albums")
    }
  }

  func known(_ id: AlbumID) throws(Misfit) -> Album {
    guard let album = albums[id] else { throw Misfit(description: "no album \(id)") }
    return album
  }

  private mutating func take(_ album: Album) throws(Misfit) {
    guard let crate = crates.firstIndex(where: { $0.id == album.crate }),
      crates[crate].albums.remove(album.id)
    else { throw Misfit(description: "album \(album.id) is in no crate") }
  }

  private mutating func insert(
    _ id: AlbumID, inCrate crate: Int, after anchor: AlbumID?
  ) throws(Misfit) {
    guard crates[crate].albums.insert(id, after: anchor) else {
      let other = anchor.map { "\($0)" } ?? ""
      throw Misfit(description: "album \(other) is not in crate \(crates[crate].name)")
    }
  }

  private mutating func remove(_ album: Album) throws(Misfit) {
    if album.entries.contains(where: { songs[$0]?.album == album.id }) {
      throw Misfit(description: "album \(album.id) holds songs")
    }
    try take(album)
    for slot in album.entries { dropWanderer(slot, from: album.id) }
    for alias in album.aliases where aliases[alias] == album.id { aliases[alias] = nil }
    removeAlbum(album.id)
  }

  /// Moves all songs of another album into this one. Songs that have a slot in this album go there.
  /// The others, and the slots of the other album, go to the bottom.
  private mutating func takeOver(_ album: Album, other: Album) throws(Misfit) {
    try take(other)
    joinTouches(of: album.id, other.id)
    for song in songs(of: album) { put(song.with(group: other.group)) }
    var entries = album.entries
    let places = Set(entries)
    for id in other.entries {
      if !places.contains(id) { entries.append(id) }
      guard let song = songs[id] else { throw Misfit(description: "no song \(id)") }
      if song.album == other.id {
        put(song.with(album: album.id, group: other.group))
        dropWanderer(id, from: album.id)
      } else {
        dropWanderer(id, from: other.id)
        if !places.contains(id), song.album != album.id { addWanderer(id, to: album.id) }
      }
    }
    removeAlbum(other.id)
    for alias in other.aliases + [other.id] { aliases[alias] = album.id }
    albums[album.id] = album.with(
      group: other.group, entries: entries, aliases: album.aliases + other.aliases + [other.id])
  }
}
