extension Library {
  /// A description of the first inconsistency in the library, or nil if there is none. An
  /// inconsistency results only from data that another program wrote, or from a bug.
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
    if homes.count != songs.count { return "a song is in no album" }
    let hidden = albumsSeen.filter { albums[$0].map(isListed) != true }
    if hidden.count != unlisted.count || !hidden.allSatisfy({ unlisted[$0] != nil }) {
      return "the albums without listed songs are not those that are known"
    }
    if albumsSeen.count(where: isTouched) != touches.count {
      return "an album that is not there counts as touched"
    }
    return faultOfSlots
  }

  /// Returns the first inconsistency in some albums and songs. The cost depends only on their
  /// number, so that debug builds can check each merge.
  package func brokenInvariant(albums ids: Set<AlbumID>, songs touched: Set<SongID>) -> String? {
    for album in ids.sorted().compactMap({ albums[$0] }) {
      guard crate(album.crate)?.albums.contains(album.id) == true else {
        return "album \(album.id) is not in its crate"
      }
      var homes: Set<SongID> = []
      if let fault = fault(in: album, &homes) { return fault }
      if listedCount(of: album.id) != homes.count(where: { songs[$0]?.isGone == false }) {
        return "the listed songs of album \(album.id) are not as many as are known"
      }
      let slots = album.entries.filter { !homes.contains($0) }
      for id in slots where wanderers[id]?.contains(album.id) != true {
        return "the slot of song \(id) in album \(album.id) is not known by the song"
      }
    }
    var owners: [BytePath: SongID] = [:]
    for song in touched.sorted().compactMap({ songs[$0] }) {
      for path in files(of: song) {
        if let other = owners.updateValue(song.id, forKey: path) {
          return "\(path.display) is the file of song \(song.id) and of song \(other)"
        }
      }
      guard let album = albums[song.album], album.entries.contains(song.id) else {
        return "song \(song.id) is in no album"
      }
      if song.group != album.group { return "song \(song.id) has another group than its album" }
    }
    return nil
  }

  /// The first difference between the index of slots by song and the slots in the albums.
  private var faultOfSlots: String? {
    var found: [SongID: Set<AlbumID>] = [:]
    for album in albums.values {
      for id in album.entries where songs[id]?.album != album.id {
        found[id, default: []].insert(album.id)
      }
    }
    var fault: String?
    wanderers.forEach { id, albums in
      if Set(albums).count != albums.count || found[id] != Set(albums) {
        fault = "the slots of song \(id) are not those that are known"
      }
    }
    return fault ?? (found.count == wanderers.count ? nil : "a slot is not known by its song")
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
