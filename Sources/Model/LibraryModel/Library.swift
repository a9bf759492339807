/// The whole music as the person arranged it. A value: whoever holds one sees it unchanged, and
/// copies share what they have in common.
package struct Library: Sendable {
  /// Number of the last change.
  package internal(set) var sequence = 0
  package internal(set) var crates: [Crate] = []
  package internal(set) var albums = SharedMap<AlbumID, Album>()
  package private(set) var songs = SharedMap<SongID, Song>()
  /// Files that are no song's own, by the song they belong to, in byte order.
  package private(set) var otherFiles = SharedMap<SongID, [OtherFile]>()
  /// How many there are.
  package private(set) var otherFileCount = 0
  /// Ids of albums that were taken over, and by which.
  package internal(set) var aliases = SharedMap<AlbumID, AlbumID>()
  /// Albums that the person has touched. Not in the albums themselves: most moves then leave these
  /// as they are, with what was worked out of them.
  package private(set) var touches = SharedMap<AlbumID, Touch>()
  /// Touched albums whose first move was taken back.
  package private(set) var renewed = SharedMap<AlbumID, Bool>()
  /// How many songs of each album are listed; albums without any are not in it.
  private var listedCounts = SharedMap<AlbumID, Int32>()
  /// Albums of which no song is listed: they have places, and no positions.
  package private(set) var unlisted = SharedMap<AlbumID, Bool>()
  /// The change with which each album came, by its number; albums of an older store are not in it.
  package private(set) var arrivals = SharedMap<AlbumID, Int>()
  /// Albums that came with changes which have no number yet.
  private var arriving: [AlbumID] = []
  /// By what songs were recognised last; most never had to be.
  package private(set) var evidence = SharedMap<SongID, Evidence>()
  /// Whether its songs are not there yet: see `LibraryOutline`.
  package internal(set) var isOutline = false
  /// What is away at the moment; never stored.
  package var away = Away()
  /// The albums that keep slots for songs which live in another one; songs without slots are not in
  /// it. Looking through all albums for those of each song that is forgotten would take seconds.
  var wanderers = SharedMap<SongID, [AlbumID]>()

  package init() {}
}

/// Which places can't be looked at now: the songs there are offline.
package struct Away: Hashable, Sendable {
  /// Music folders, mounts inside them, and single files that went with one or whose link leads
  /// nowhere.
  package var places: [BytePath] = [] {
    didSet { index = places.count > Self.fewPlaces ? Set(places) : [] }
  }
  /// The same, where they are many.
  private var index: Set<BytePath> = []
  private static let fewPlaces = 16
  /// The configured music folders; a song outside them all is offline. Empty: not known yet.
  package var folders: [BytePath] = []

  package init() {}

  package func covers(_ path: BytePath) -> Bool { isAway(path) || isOutside(path) }

  /// Whether the path lies in no configured music folder.
  package func isOutside(_ path: BytePath) -> Bool {
    !(folders.isEmpty || folders.contains { path.isInside($0) })
  }

  /// Whether the path lies where nobody can look at the moment.
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

  /// The presence of the song that is nearest.
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

  /// Whether there is an album of this very id. For other modules: a map of ours is slow for code
  /// that was compiled without its types.
  package func has(_ id: AlbumID) -> Bool { albums[id] != nil }

  /// The album of that id, or the one that took it over.
  package func album(_ id: AlbumID) -> Album? {
    if let album = albums[id] { return album }
    return aliases[id].flatMap { albums[$0] }
  }

  package func crate(_ id: CrateID) -> Crate? { crates.first { $0.id == id } }

  package func crate(named name: String) -> Crate? {
    let name = folded(name)
    return crates.first { $0.folded == name }
  }

  /// The songs that live in the album, gone ones included, in order.
  package func songs(of album: Album) -> [Song] {
    var found: [Song] = []
    found.reserveCapacity(album.entries.count)
    for id in album.entries {
      if let song = songs[id], song.album == album.id { found.append(song) }
    }
    return found
  }

  /// The songs of the album that listings show.
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

  /// Whether a first scan goes on that has found something, or was never ended.
  package var isBeingScanned: Bool {
    var isBeingScanned = false
    albums.forEach { _, album in isBeingScanned = isBeingScanned || album.isFresh }
    return isBeingScanned
  }

  /// The greatest number of a scan that found something of it: see `FolderContents.seen`.
  package var newestLook: Int64 {
    var newest: Int64 = 0
    albums.forEach { _, album in newest = max(newest, album.seen) }
    songs.forEach { _, song in newest = max(newest, song.seen) }
    return newest
  }

  /// Whether a first scan that goes on has put it where it stands.
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

  /// Remembers that the album came with the next change that gets a number.
  mutating func noteArrival(of id: AlbumID) { arriving.append(id) }

  /// Sets the number of the change with which the album came.
  mutating func setArrival(_ sequence: Int, of id: AlbumID) { arrivals[id] = sequence }

  /// The changes so far got their numbers, of which this is the last one.
  mutating func settleArrivals(at sequence: Int) {
    for id in arriving where albums[id] != nil { arrivals[id] = sequence }
    arriving = []
  }

  /// The changes so far are these, and got their numbers.
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

  /// Sets whether an album that the person has touched is listed as never moved.
  mutating func setNew(_ isNew: Bool, _ id: AlbumID) {
    if (renewed[id] != nil) != isNew { renewed[id] = isNew ? true : nil }
  }

  /// Sets how far the album counts as touched; nil: not at all.
  mutating func setTouch(_ touch: Touch?, of id: AlbumID) {
    if touches[id] != touch { touches[id] = touch }
  }
}

// MARK: Changing songs

extension Library {
  /// Sets a song as it is now. Its albums become new values, of which nothing is known yet.
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

  /// Adds a song of an album that is set itself afterwards, and whose listed songs are counted
  /// then; false where the song was there, which is replaced then.
  mutating func insert(_ song: Song) -> Bool {
    songs.set(song.id, song)
  }

  /// Gives each song what is known of it now, and its albums nothing that was worked out before.
  package mutating func attach(_ facts: KnownFacts) {
    var parts = takeSongs()
    for place in parts.indices { parts[place].attach(facts) }
    putBack(parts)
  }

  /// Takes the songs out, in parts for several threads to attach facts to: there are none until
  /// they are put back.
  package mutating func takeSongs() -> [SongsPart] { songs.takeParts().map(SongsPart.init) }

  /// Puts all parts back, in their order. What was worked out of the songs before is forgotten.
  package mutating func putBack(_ parts: consuming [SongsPart]) {
    songs.putBack(parts.map(\.songs))
    albums.replaceValues { $0.with() }
  }

  mutating func removeSong(_ id: SongID) {
    let former = songs[id]
    songs[id] = nil
    if evidence[id] != nil { evidence[id] = nil }
    setOtherFiles([], of: id)
    guard let former else { return }
    if !former.isGone { countListed(-1, of: former.album) }
    renew(former.album)
  }

  /// Remembers by what the song was recognised.
  mutating func setEvidence(_ found: Evidence?, of id: SongID) {
    if evidence[id] != found { evidence[id] = found }
  }

  private mutating func countListed(_ more: Int32, of id: AlbumID) {
    setListedCount((listedCounts[id] ?? 0) + more, of: id)
  }

  /// Sets how many songs of the album are listed, which says whether it is listed itself.
  mutating func setListedCount(_ count: Int32, of id: AlbumID) {
    precondition(count >= 0, "no more songs are taken away than are listed")
    if listedCounts[id] ?? 0 != count { listedCounts[id] = count == 0 ? nil : count }
    let isUnlisted = count == 0 && albums[id] != nil
    if (unlisted[id] != nil) != isUnlisted { unlisted[id] = isUnlisted ? true : nil }
  }

  /// How many songs of the album are listed.
  package func listedCount(of id: AlbumID) -> Int { Int(listedCounts[id] ?? 0) }

  mutating func setOtherFiles(_ files: [OtherFile], of id: SongID) {
    let former = otherFiles[id]
    if former == nil && files.isEmpty { return }
    otherFileCount += files.count - (former?.count ?? 0)
    otherFiles[id] = files.isEmpty ? nil : files.ascending(by: \.path)
  }

  mutating func renew(_ id: AlbumID) {
    if let album = albums[id] { albums[id] = album.with() }
  }
}
