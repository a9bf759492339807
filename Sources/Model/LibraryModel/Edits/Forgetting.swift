extension Decision {
  /// Drops the places of songs that are not present, and albums that have no songs of their own
  /// afterwards.
  ///
  /// - Parameters:
  ///   - ids: songs that are gone or offline.
  ///   - named: albums whose gone songs are dropped. If no song of an album is present, its offline
  ///     songs are dropped, too.
  ///   - folder: gone and offline songs below it are dropped.
  ///   - all: all gone songs are dropped. Offline songs are dropped only if they are named.
  mutating func forget(
    songs ids: [SongID], albums named: [AlbumID], folder: BytePath?, all: Bool
  ) throws(Refusal) {
    if ids.isEmpty && named.isEmpty && folder == nil && !all { throw .nothingChosen("songs") }
    var meant: Set<SongID> = []
    for id in ids {
      guard let song = library.songs[id] else { throw .noSuchSong(id) }
      if library.presence(of: song) == .present { throw .stillThere(id) }
      meant.insert(id)
    }
    let albums = named.isEmpty ? [] : try resolved(named)
    for album in albums { meant.formUnion(library.songsKept(by: album)) }
    if let folder { meant.formUnion(try songsKept(below: folder)) }

    let order = library.crates.flatMap(\.albums)
    var touched: [AlbumID] = []
    for album in order.compactMap({ library.albums[$0] }) {
      let forgotten = library.songs(of: album).filter { song in
        meant.contains(song.id) || (all && song.isGone)
      }
      for song in forgotten { drop(song) }
      if !forgotten.isEmpty { touched.append(album.id) }
    }
    let chosen = Set(albums.map(\.id))
    for album in order.compactMap({ library.albums[$0] }) {
      guard library.members(of: album).isEmpty,
        // An album with nothing but slots is dropped if the user named it, or if it has just lost
        // its last song and was never touched.
        all || chosen.contains(album.id) || album.entries.isEmpty
          || touched.contains(album.id) && !library.isTouched(album.id)
      else { continue }
      drop(album)
    }
    for id in touched { followForgetting(id) }
  }

  private func songsKept(below folder: BytePath) throws(Refusal) -> [SongID] {
    var (isKnown, kept) = (false, [SongID]())
    let library = library
    library.songs.forEach { id, song in
      guard song.path.isInside(folder) else { return }
      isKnown = true
      if library.presence(of: song) != .present { kept.append(id) }
    }
    if !isKnown { throw .noSuchFolder(folder) }
    return kept
  }

  /// Drops a song's place, and the slots that other albums keep for it.
  mutating func drop(_ song: Song) {
    for album in library.albumsKeepingSlot(of: song.id) {
      drop(slot: song.id, of: album)
    }
    make(.songForgotten(song.id, was: library.record(of: song)))
  }

  /// Drops an album without songs of its own. Its slots and other ids are dropped before it, from
  /// the last to the first. When undo restores them in reverse, each finds its anchor.
  mutating func drop(_ album: Album) {
    guard let crate = library.crate(album.crate) else { return }
    for alias in album.aliases.reversed() { make(.aliasDropped(alias, of: album.id)) }
    for (place, slot) in album.entries.enumerated().reversed() {
      make(
        .slotDropped(
          slot, in: album.id, wasAfter: place == 0 ? nil : album.entries[place - 1]))
    }
    make(.albumRemoved(album.id, was: library.record(of: album, in: crate)))
  }

  mutating func drop(slot: SongID, of album: Album) {
    make(
      .slotDropped(slot, in: album.id, wasAfter: predecessor(of: slot, in: album.entries)))
  }

  /// Updates whether a touched album is still arranged, since the forgotten songs may have been the
  /// only ones out of order. An untouched album has its order from another album, and forgetting
  /// does not touch it.
  private mutating func followForgetting(_ id: AlbumID) {
    if library.albums[id]?.isArranged == true, library.isTouched(id) { noteArranged(id) }
  }
}

extension Library {
  /// Returns the songs whose places are dropped with the album: gone ones, and offline ones if no
  /// song is present.
  fileprivate func songsKept(by album: Album) -> [SongID] {
    let members = songs(of: album)
    let isThere = members.contains { presence(of: $0) == .present }
    return members.filter { $0.isGone || !isThere }.map(\.id)
  }
}

extension Library {
  /// Returns the files of songs that changes removed from the library. They are new when they
  /// reappear.
  ///
  /// - Parameter new: the library after the changes.
  package func filesForgotten(by changes: some Sequence<Change>, in new: Library) -> [BytePath] {
    let forgotten = changes.compactMap { change -> Song? in
      guard case .songForgotten(let id, _) = change, new.songs[id] == nil else { return nil }
      return songs[id]
    }
    return forgotten.flatMap(files).sorted()
  }
}

extension Lookups {
  /// Whether changes of the user affect the lookups.
  package static func isConcerned(by changes: [Change]) -> Bool {
    let (songs, albums) = concerned(by: changes)
    return !songs.isEmpty || !albums.isEmpty
  }

  /// Updates the lookups with changes of the user: forgotten songs are no longer recognised, and
  /// restored ones are.
  package mutating func follow(_ changes: [Change], from old: Library, to new: Library) {
    let (songs, albums) = Self.concerned(by: changes)
    follow(from: old, to: new, songs: songs, albums: albums)
  }

  private static func concerned(
    by changes: [Change]
  ) -> (songs: Set<SongID>, albums: Set<AlbumID>) {
    var songs: Set<SongID> = []
    var albums: Set<AlbumID> = []
    for change in changes {
      switch change {
      case .songForgotten(let id, _), .songAdded(let id, _): songs.insert(id)
      case .albumRemoved(let id, _), .albumAdded(let id, _): albums.insert(id)
      default: continue
      }
    }
    return (songs, albums)
  }
}
