extension Library {
  mutating func applyToSongs(_ change: Change, by author: Author) throws(Misfit) {
    switch change {
    case .songAdded(let id, let record):
      if songs[id] != nil { throw Misfit(description: "song \(id) is there already") }
      let album = try known(record.album)
      try insert(id, in: album, after: record.after)
      if !record.isTouched { spreadTouch(of: album.id) }
      put(
        Song(
          id: id, album: album.id, group: record.group ?? album.group, path: record.path,
          digest: record.digest, added: record.added, seen: record.seen, isGone: record.isGone,
          isTouched: record.isTouched, traits: record.traits == Traits() ? nil : record.traits))
    case .songMoved(let id, let album, let after, _):
      _ = try known(id)
      let rest = try known(album).entries.filter { $0 != id }
      if rest.count == albums[album]?.entries.count {
        throw Misfit(description: "song \(id) is not in album \(album)")
      }
      try insert(id, in: try known(album).with(entries: rest), after: after)
      if author != .folder { touch(album) }
    case .songRegrouped(let id, let album, let after, _):
      try regroup(try known(id), to: try known(album), after: after)
    case .songFollowed(let id, let path, let digest, let evidence):
      let song = try known(id).with(path: path, digest: .some(digest))
      put(song.isGone ? song.with(isGone: false, facts: .some(nil)) : song)
      setEvidence(evidence, of: id)
    case .songRetagged(let id, let album):
      if try known(id).album != album {
        throw Misfit(description: "song \(id) is not in album \(album)")
      }
    case .songGone(let id, let traits):
      // Empty if the song's file had not been read since the index was lost.
      let known: Traits? = traits == Traits() ? nil : traits
      put(try self.known(id).with(isGone: true, traits: .some(known)))
    case .songForgotten(let id, _):
      let home = try known(try known(id).album)
      for album in [home] + albumsKeepingSlot(of: id) {
        albums[album.id] = album.with(entries: album.entries.filter { $0 != id })
      }
      removeSong(id)
      wanderers[id] = nil
    default: preconditionFailure("a change of songs")
    }
  }

  func known(_ id: SongID) throws(Misfit) -> Song {
    guard let song = songs[id] else { throw Misfit(description: "no song \(id)") }
    return song
  }

  /// Puts a song into another album. It leaves a slot behind, and goes to the slot that the album
  /// has for it.
  private mutating func regroup(
    _ song: Song, to album: Album, after anchor: SongID?
  ) throws(Misfit) {
    let isTouched = isTouched(song)
    if song.album != album.id {
      if !isTouched { spreadTouch(of: album.id) }
      addWanderer(song.id, to: song.album)
      dropWanderer(song.id, from: album.id)
    }
    if !album.entries.contains(song.id) {
      try insert(song.id, in: try known(album.id), after: anchor)
    }
    put(song.with(album: album.id, group: album.group, isTouched: isTouched))
  }

  // MARK: Slots

  mutating func applyToSlots(_ change: Change) throws(Misfit) {
    switch change {
    case .slotDropped(let id, let album, _):
      let album = try known(album)
      if songs[id]?.album == album.id {
        throw Misfit(description: "song \(id) lives in album \(album.id)")
      }
      // Dropping a missing slot is no error.
      guard let place = album.entries.firstIndex(of: id) else { return }
      var entries = album.entries
      entries.remove(at: place)
      albums[album.id] = album.with(entries: entries)
      dropWanderer(id, from: album.id)
    case .slotRestored(let id, let album, let after):
      let album = try known(album)
      if try known(id).album == album.id || album.entries.contains(id) {
        throw Misfit(description: "song \(id) is in album \(album.id) already")
      }
      try insert(id, in: album, after: after)
      addWanderer(id, to: album.id)
    default: preconditionFailure("a change of slots")
    }
  }

  mutating func addWanderer(_ id: SongID, to album: AlbumID) {
    wanderers[id] = (wanderers[id] ?? []) + [album]
  }

  mutating func dropWanderer(_ id: SongID, from album: AlbumID) {
    guard let albums = wanderers[id] else { return }
    let rest = albums.filter { $0 != album }
    wanderers[id] = rest.isEmpty ? nil : rest
  }

  /// Returns the albums that keep a slot for a song that is in another album.
  func albumsKeepingSlot(of song: SongID) -> [Album] {
    (wanderers[song] ?? []).sorted().compactMap { albums[$0] }
  }

  private mutating func insert(
    _ id: SongID, in album: Album, after anchor: SongID?
  ) throws(Misfit) {
    var place = 0
    if let anchor {
      guard let above = album.entries.firstIndex(of: anchor) else {
        throw Misfit(description: "song \(anchor) is not in album \(album.id)")
      }
      place = above + 1
    }
    // Reserves the exact capacity, since a growing array may double it.
    var entries: [SongID] = []
    entries.reserveCapacity(album.entries.count + 1)
    entries += album.entries[..<place]
    entries.append(id)
    entries += album.entries[place...]
    albums[album.id] = album.with(entries: entries)
  }
}
