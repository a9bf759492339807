/// What putting forgotten places back has to remember from one to the next.
struct Restoring {
  /// Albums that a merge has begun anew since, by the id of the removed one.
  var heirs: [AlbumID: AlbumID] = [:]
  /// Albums whose songs may stand out of default order now.
  var touched: [AlbumID] = []
  /// Paths of the files that songs have; worked out when it is asked for.
  private var paths: Set<BytePath>?
  /// The albums that were there before, by group; worked out when it is asked for.
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
  /// Puts a removed album back, or takes the one that has its group now for it.
  mutating func restore(_ id: AlbumID, _ kept: KeptAlbum, _ restoring: inout Restoring) {
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
    kept.after = kept.after.flatMap { library.album($0) }.flatMap {
      $0.crate == crate.id ? $0.id : nil
    }
    kept.aliases.removeAll { library.album($0) != nil }
    kept.slots.removeAll { library.songs[$0] == nil }
    make(.albumRestored(id, kept), by: .person)
  }

  /// Puts a forgotten song back into its place, gone or offline as it was. One that has come back
  /// by itself goes there.
  mutating func restore(_ id: SongID, _ kept: KeptSong, _ restoring: inout Restoring) {
    if let song = library.songs[id] {
      moveBack(id, in: restoring.heirs[kept.album] ?? kept.album, after: kept.after)
      return restoring.touched.append(song.album)
    }
    guard let album = library.album(restoring.heirs[kept.album] ?? kept.album) else {
      return notes.append("the place of song \(id) can't come back: its album is not there")
    }
    var kept = kept
    kept.album = album.id
    kept.after = kept.after.flatMap { album.entries.contains($0) ? $0 : nil }
    kept.slots = kept.slots.compactMap { slot in
      guard let other = library.album(slot.album), other.id != album.id else { return nil }
      let after = slot.after.flatMap { other.entries.contains($0) ? $0 : nil }
      return KeptSlot(album: other.id, after: after)
    }
    // Whether the file is there is for a merge to find out; an offline one can't be looked for.
    if !kept.isGone,
      !library.away.covers(kept.path) || restoring.isTaken(kept.path, in: library)
    {
      kept.isGone = true
    }
    make(.songRestored(id, kept), by: .person)
    restoring.touched.append(album.id)
  }

  /// Takes away what an undo had put back, unless its file is there now.
  mutating func dropAgain(_ id: SongID) {
    guard let song = library.songs[id] else { return }
    if library.presence(of: song) == .present {
      return notes.append("song \(id) is there again, and keeps its place")
    }
    drop(song, by: .person)
  }

  mutating func dropAgain(_ id: AlbumID) {
    guard let album = library.album(id), library.members(of: album).isEmpty else { return }
    drop(album, by: .person)
  }
}
