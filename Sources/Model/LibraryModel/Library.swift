/// The user's music and its order. A value type: a copy never changes, and copies share storage.
package struct Library: Sendable {
  /// The number of the last change.
  package internal(set) var sequence = 0
  package internal(set) var crates: [Crate] = []
  package internal(set) var albums = SharedMap<AlbumID, Album>()
  package private(set) var songs = SharedMap<SongID, Song>()
  /// The duplicates of each song's file, in byte order.
  package private(set) var duplicateFiles = SharedMap<SongID, [DuplicateFile]>()
  /// The number of duplicates.
  package private(set) var duplicateFileCount = 0
  /// Ids of albums that were taken over, with the album that took them over.
  package internal(set) var aliases = SharedMap<AlbumID, AlbumID>()
  /// Albums that the user has touched. Stored separately from the albums, so that most moves leave
  /// these and their cached summaries unchanged.
  package private(set) var touches = SharedMap<AlbumID, Touch>()
  /// Touched albums whose first move was undone.
  package private(set) var renewed = SharedMap<AlbumID, Bool>()
  /// The number of listed songs of each album. Albums without listed songs are omitted.
  private var listedCounts = SharedMap<AlbumID, Int32>()
  /// Albums without listed songs. They have places, but no positions.
  package private(set) var unlisted = SharedMap<AlbumID, Bool>()
  /// The number of the change that added each album. Albums of an older store are omitted.
  package private(set) var arrivals = SharedMap<AlbumID, Int>()
  /// Albums that were added by changes that have no number yet.
  private var arriving: [AlbumID] = []
  /// The evidence by which songs were last recognised. Most have none.
  package private(set) var evidence = SharedMap<SongID, Evidence>()
  /// Whether its songs have not been loaded yet: see `LibraryOutline`.
  package internal(set) var isOutline = false
  /// The places that are offline at the moment. Never stored.
  package var away = Away()
  /// The albums that keep slots for each song that is in another one. Without this index,
  /// forgetting a song would search all albums.
  var wanderers = SharedMap<SongID, [AlbumID]>()

  package init() {}
}

/// The places that can't be accessed at the moment. Songs there are offline.
package struct Away: Hashable, Sendable {
  /// Music folders, mounts inside them, and single files that vanished with a mount or whose
  /// symbolic link is broken.
  package var places: [BytePath] = [] {
    didSet { index = places.count > Self.fewPlaces ? Set(places) : [] }
  }
  /// The same as a set, if there are many.
  private var index: Set<BytePath> = []
  private static let fewPlaces = 16
  /// The configured music folders. A song outside all of them is offline. Empty if not known yet.
  package var folders: [BytePath] = []

  package init() {}

  package func covers(_ path: BytePath) -> Bool { isAway(path) || isOutside(path) }

  /// Whether the path is in no configured music folder.
  package func isOutside(_ path: BytePath) -> Bool {
    !(folders.isEmpty || folders.contains { path.isInside($0) })
  }

  /// Whether the path is in a music folder, in a place that can't be accessed at the moment.
  package func isOffline(_ path: BytePath) -> Bool { !isOutside(path) && isAway(path) }

  private func isAway(_ path: BytePath) -> Bool {
    if index.isEmpty { return places.contains { path.isInside($0) } }
    var above = path
    while !above.isEmpty {
      if index.contains(above) { return true }
      above = above.parent
    }
    return false
  }
}

package enum Presence: String, Sendable {
  case present, offline, gone
}

extension Library {
  package func presence(of song: Song) -> Presence {
    if song.isGone { return .gone }
    return away.covers(song.path) ? .offline : .present
  }

  /// Returns the best presence of any of its songs: present, else offline, else gone.
  package func presence(of album: Album) -> Presence {
    if isOutline { return summary(of: album).songs > 0 ? .present : .gone }
    var presence = Presence.gone
    for id in album.entries {
      guard let song = songs[id], song.album == album.id, !song.isGone else { continue }
      if self.presence(of: song) == .present { return .present }
      presence = .offline
    }
    return presence
  }

  /// Whether an album has exactly this id. For other modules, which are compiled without the map's
  /// types and would look it up slowly.
  package func has(_ id: AlbumID) -> Bool { albums[id] != nil }

  /// Returns the album with that id, or the one that took it over.
  package func album(_ id: AlbumID) -> Album? {
    if let album = albums[id] { return album }
    return aliases[id].flatMap { albums[$0] }
  }

  package func crate(_ id: CrateID) -> Crate? { crates.first { $0.id == id } }

  package func crate(named name: String) -> Crate? {
    let name = folded(name)
    return crates.first { $0.folded == name }
  }

  /// Returns the songs that are in the album, including gone ones, in order.
  package func songs(of album: Album) -> [Song] {
    var found: [Song] = []
    found.reserveCapacity(album.entries.count)
    for id in album.entries {
      if let song = songs[id], song.album == album.id { found.append(song) }
    }
    return found
  }

  /// Returns the songs of the album that listings show.
  package func listedSongs(of album: Album) -> [Song] {
    songs(of: album).filter { !$0.isGone }
  }

  /// Whether listings show the album: a song of it is present or offline.
  package func isListed(_ album: Album) -> Bool {
    album.entries.contains { id in
      guard let song = songs[id] else { return false }
      return song.album == album.id && !song.isGone
    }
  }

  /// Whether a first scan is running that has found something, or one was never finished.
  package var isBeingScanned: Bool {
    var isBeingScanned = false
    albums.forEach { _, album in isBeingScanned = isBeingScanned || album.isFresh }
    return isBeingScanned
  }

  /// The greatest scan number of any album or song: see `FolderContents.seen`.
  package var newestScan: Int64 {
    var newest: Int64 = 0
    albums.forEach { _, album in newest = max(newest, album.seen) }
    songs.forEach { _, song in newest = max(newest, song.seen) }
    return newest
  }

  /// Whether a running first scan has put the album in its place.
  func isFreshlyPut(_ id: AlbumID) -> Bool { albums[id]?.isFresh == true && !isTouched(id) }

  package func isListed(_ id: AlbumID) -> Bool { albums[id].map(isListed) ?? false }

  package func isListed(_ crate: Crate) -> Bool { crate.albums.contains(where: isListed) }
}

// MARK: Changing albums

extension Library {
  mutating func removeAlbum(_ id: AlbumID) {
    albums[id] = nil
    touches[id] = nil
    setNew(false, id)
    unlisted[id] = nil
    arrivals[id] = nil
  }

  /// Records that the album was added by the next change that gets a number.
  mutating func noteArrival(of id: AlbumID) { arriving.append(id) }

  /// Sets the number of the change that added the album.
  mutating func setArrival(_ sequence: Int, of id: AlbumID) { arrivals[id] = sequence }

  /// Sets the number of the albums that were added by changes without a number.
  mutating func settleArrivals(at sequence: Int) {
    for id in arriving where albums[id] != nil { arrivals[id] = sequence }
    arriving = []
  }

  /// Sets the numbers of the albums that were added by these transactions.
  mutating func settleArrivals(of transactions: [Transaction]) {
    for transaction in transactions {
      for change in transaction.changes {
        switch change {
        case .albumAdded(let id, _):
          if albums[id] != nil { arrivals[id] = transaction.sequence }
        default: continue
        }
      }
    }
    arriving = []
  }

  /// Sets whether an album that the user has touched is listed as never moved.
  mutating func setNew(_ isNew: Bool, _ id: AlbumID) {
    if (renewed[id] != nil) != isNew { renewed[id] = isNew ? true : nil }
  }

  /// Sets how far the album counts as touched. Nil: not at all.
  mutating func setTouch(_ touch: Touch?, of id: AlbumID) {
    if touches[id] != touch { touches[id] = touch }
  }
}

// MARK: Changing songs

extension Library {
  /// Stores a song. Its albums become new values without cached summaries.
  mutating func put(_ song: Song) {
    let known = songs[song.id]
    let former = known?.album
    songs[song.id] = song
    if known?.isGone != song.isGone || former != song.album {
      if let known, !known.isGone { countListed(-1, of: known.album) }
      if !song.isGone { countListed(1, of: song.album) }
    }
    renew(song.album)
    if let former, former != song.album { renew(former) }
  }

  /// Adds or replaces a song whose album is stored afterwards, with its count of listed songs.
  /// Returns false if the song existed.
  mutating func insert(_ song: Song) -> Bool {
    songs.set(song.id, song)
  }

  /// Attaches facts to all songs, and discards the cached summaries of the albums.
  package mutating func attach(_ facts: KnownFacts) {
    var parts = takeSongs()
    for place in parts.indices { parts[place].attach(facts) }
    putBack(parts)
  }

  /// Takes all songs out, in parts to which several threads can attach facts. The library has no
  /// songs until they are put back.
  package mutating func takeSongs() -> [SongsPart] { songs.takeParts().map(SongsPart.init) }

  /// Puts all parts back, in their order. Discards the cached summaries of the albums.
  package mutating func putBack(_ parts: consuming [SongsPart]) {
    songs.putBack(parts.map(\.songs))
    albums.replaceValues { $0.with() }
  }

  mutating func removeSong(_ id: SongID) {
    let former = songs[id]
    songs[id] = nil
    if evidence[id] != nil { evidence[id] = nil }
    setDuplicateFiles([], of: id)
    guard let former else { return }
    if !former.isGone { countListed(-1, of: former.album) }
    renew(former.album)
  }

  mutating func setEvidence(_ found: Evidence?, of id: SongID) {
    if evidence[id] != found { evidence[id] = found }
  }

  private mutating func countListed(_ more: Int32, of id: AlbumID) {
    setListedCount((listedCounts[id] ?? 0) + more, of: id)
  }

  /// Sets the number of listed songs of the album. An album without any is unlisted.
  mutating func setListedCount(_ count: Int32, of id: AlbumID) {
    precondition(count >= 0, "no more songs are taken away than are listed")
    if listedCounts[id] ?? 0 != count { listedCounts[id] = count == 0 ? nil : count }
    let isUnlisted = count == 0 && albums[id] != nil
    if (unlisted[id] != nil) != isUnlisted { unlisted[id] = isUnlisted ? true : nil }
  }

  package func listedCount(of id: AlbumID) -> Int { Int(listedCounts[id] ?? 0) }

  mutating func setDuplicateFiles(_ files: [DuplicateFile], of id: SongID) {
    let former = duplicateFiles[id]
    if former == nil && files.isEmpty { return }
    duplicateFileCount += files.count - (former?.count ?? 0)
    duplicateFiles[id] = files.isEmpty ? nil : files.ascending(by: \.path)
  }

  mutating func renew(_ id: AlbumID) {
    if let album = albums[id] { albums[id] = album.with() }
  }
}
