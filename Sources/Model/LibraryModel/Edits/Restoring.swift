/// The state of restoring forgotten songs and albums.
struct Restoring {
  /// Albums that a merge has created again since, by the id of the removed one.
  var heirs: [AlbumID: AlbumID] = [:]
  /// The anchors of slots that could not be restored, by album and song.
  var lostAnchors: [AlbumID: [SongID: SongID]] = [:]
  /// Albums whose songs may be out of default order now.
  var touched: [AlbumID] = []
  /// The paths of the songs' files, computed on first use.
  private var paths: Set<BytePath>?
  /// The albums that existed before, by group, computed on first use.
  private var groups: [GroupKey: AlbumID]?

  mutating func isTaken(_ path: BytePath, in library: Library) -> Bool {
    if let paths { return paths.contains(path) }
    var known: Set<BytePath> = []
    library.songs.forEach { _, song in if !song.isGone { known.insert(song.path) } }
    paths = known
    return known.contains(path)
  }

  mutating func album(of group: GroupKey, in library: Library) -> AlbumID? {
    if let groups { return groups[group] }
    var known: [GroupKey: AlbumID] = [:]
    library.albums.forEach { id, album in known[album.group] = id }
    groups = known
    return known[group]
  }
}

extension Decision {
  /// Restores a removed album. If another album has its group now, that one is moved to its place.
  mutating func restore(_ id: AlbumID, _ kept: AlbumRecord, _ restoring: inout Restoring) {
    if let heir = library.album(id)?.id ?? restoring.album(of: kept.group, in: library) {
      restoring.heirs[id] = heir
      return moveBack(heir, to: kept.crate, after: kept.after)
    }
    if library.crate(named: kept.crate) == nil {
      addCrate(kept.crate, after: library.crates.last?.name)
    }
    guard let crate = library.crate(named: kept.crate) else { return }
    var kept = kept
    kept.crate = crate.name
    // The first scan that added it may have ended since.
    kept.isFresh = false
    kept.after = kept.after.flatMap { library.album($0) }.flatMap {
      $0.crate == crate.id ? $0.id : nil
    }
    make(.albumAdded(id, kept))
  }

  /// Restores a forgotten song in its place, gone or offline as it was. If the song has come back
  /// by itself, it is moved there.
  mutating func restore(_ id: SongID, _ kept: SongRecord, _ restoring: inout Restoring) {
    if let song = library.songs[id] {
      // Uses the former predecessor as the anchor, wherever it is now.
      let album = library.album(restoring.heirs[kept.album] ?? kept.album)
      if let album { moveBack(id, in: album, after: kept.after) }
      return restoring.touched.append(song.album)
    }
    guard let album = library.album(restoring.heirs[kept.album] ?? kept.album) else {
      return transaction.notes.append(
        "the place of \(shownTitle(kept.traits.title, path: kept.path)) can't come back: its album"
          + " is not there")
    }
    var kept = kept
    kept.album = album.id
    kept.after = kept.after.flatMap { album.entries.contains($0) ? $0 : nil }
    // A merge finds out whether the file is present. An offline file can't be checked.
    if !kept.isGone,
      !library.away.covers(kept.path) || restoring.isTaken(kept.path, in: library)
    {
      kept.isGone = true
    }
    make(.songAdded(id, kept))
    restoring.touched.append(album.id)
  }

  /// Restores a slot behind the nearest of its former predecessors, if its song and its album exist
  /// and the song has no entry in that album.
  mutating func restore(
    slot id: SongID, in former: AlbumID, after anchor: SongID?, _ restoring: inout Restoring
  ) {
    guard let album = library.album(restoring.heirs[former] ?? former),
      let song = library.songs[id], song.album != album.id, !album.entries.contains(id)
    else {
      restoring.lostAnchors[former, default: [:]][id] = anchor
      return
    }
    var lost = restoring.lostAnchors[former] ?? [:]
    var place = anchor
    while let above = place, !album.entries.contains(above) {
      place = lost.removeValue(forKey: above)
    }
    make(.slotRestored(id, in: album.id, after: place))
  }

  mutating func restore(alias: AlbumID, of former: AlbumID, _ restoring: inout Restoring) {
    guard let album = library.album(restoring.heirs[former] ?? former),
      library.album(alias) == nil
    else { return }
    make(.aliasRestored(alias, of: album.id))
  }

  /// Drops a slot that an undo had restored.
  mutating func dropAgain(slot id: SongID, of album: AlbumID) {
    guard let album = library.album(album), album.entries.contains(id),
      library.songs[id]?.album != album.id
    else { return }
    drop(slot: id, of: album)
  }

  mutating func dropAgain(alias: AlbumID, of album: AlbumID) {
    guard library.aliases[alias] == album, library.albums[album] != nil else { return }
    make(.aliasDropped(alias, of: album))
  }

  /// Drops a song that an undo had restored, unless its file is present now.
  mutating func dropAgain(_ id: SongID) {
    guard let song = library.songs[id] else { return }
    if library.presence(of: song) == .present {
      return transaction.notes.append("\(song.title) is there again, and keeps its place")
    }
    drop(song)
  }

  mutating func dropAgain(_ id: AlbumID) {
    guard let album = library.album(id), library.members(of: album).isEmpty else { return }
    drop(album)
  }
}
