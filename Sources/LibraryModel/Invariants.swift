extension Library {
  /// What is wrong with the library in itself, in words; nil where nothing is, as always, but for
  /// what was written by something else or by a program with a mistake in it.
  package var brokenInvariant: String? {
    var albumsSeen: Set<AlbumID> = []
    var homes: Set<SongID> = []
    for crate in crates {
      for id in crate.albums {
        guard let album = albums[id] else { return "crate \(crate.name) lists no album as \(id)" }
        guard albumsSeen.insert(id).inserted, album.crate == crate.id else {
          return "album \(id) is in two places"
        }
        if let fault = fault(in: album, &homes) { return fault }
      }
    }
    if albumsSeen.count != albums.count { return "an album is in no crate" }
    if albumsSeen.count(where: isPlaced) != placed.count {
      return "an album that is not there counts as moved"
    }
    return homes.count == songs.count ? nil : "a song is in no album"
  }

  private func fault(in album: Album, _ homes: inout Set<SongID>) -> String? {
    var entries: Set<SongID> = []
    for id in album.entries {
      guard let song = songs[id] else { return "album \(album.id) lists no song as \(id)" }
      guard entries.insert(id).inserted else { return "album \(album.id) lists \(id) twice" }
      if song.album == album.id { homes.insert(id) }
    }
    if let known = album.knownSummary, known != AlbumSummary(of: album, in: self) {
      return "what is known of album \(album.id) is out of date"
    }
    for alias in album.aliases where albums[alias] != nil || aliases[alias] != album.id {
      return "the id \(alias), which album \(album.id) took over, leads elsewhere"
    }
    return nil
  }
}
