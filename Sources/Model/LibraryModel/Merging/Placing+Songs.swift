extension Placing {
  /// Adds songs to an existing album: into their slots, else to their places in default order. In
  /// an arranged album, they go beside songs from the same former album, and new songs go on top.
  mutating func enter(_ album: Album, _ incoming: Incoming) {
    outcome.albums.insert(album.id)
    let slots = Set(album.entries)
    let movers = inFormerOrder(incoming.movers)
    for (song, from) in movers where slots.contains(song.id) {
      make(.songRegrouped(song.id, album: album.id, after: nil, was: from))
    }
    let others = movers.filter { !slots.contains($0.song.id) }
    if !album.isArranged { return addInDefaultOrder(incoming.new, others, to: album.id) }
    if regrouped.contains(album.id) {
      // The others are added like new songs, as after a hand-over. Of several albums, the last
      // one's are on top.
      for from in distinct(others.map(\.from)) {
        var previous: SongID?
        for (song, _) in others where song.album == from {
          make(.songRegrouped(song.id, album: album.id, after: previous, was: from))
          previous = song.id
        }
      }
    } else {
      for (song, from) in others {
        let anchor = anchor(of: song.id, from: from, in: album.id)
        make(.songRegrouped(song.id, album: album.id, after: anchor, was: from))
      }
    }
    let there = now.albums[album.id].map(now.songs) ?? []
    let order = DefaultOrder(of: there + incoming.new)
    let new = incoming.new.sorted {
      precedence($1.added, $0.added) ?? order.isBefore($0, $1)
    }
    var previous: SongID?
    for song in new {
      add(song, to: album.id, after: previous)
      previous = song.id
    }
  }

  private func distinct(_ ids: [AlbumID]) -> [AlbumID] {
    var known: Set<AlbumID> = []
    return ids.filter { known.insert($0).inserted }
  }

  /// Returns the song behind which a song of another album goes: the nearest of its former
  /// predecessors in the album, else the one before the nearest such follower. Nil: on top.
  private func anchor(of id: SongID, from: AlbumID, in target: AlbumID) -> SongID? {
    let library = now
    guard let order = former.albums[from]?.entries, let place = order.firstIndex(of: id),
      let entries = library.albums[target]?.entries
    else { return nil }
    func isThere(_ other: SongID) -> Bool { library.songs[other]?.album == target }
    if let above = order.prefix(place).last(where: isThere) { return above }
    guard let below = order.dropFirst(place).first(where: isThere) else { return nil }
    return predecessor(of: below, in: entries)
  }

  private mutating func addInDefaultOrder(
    _ new: [Song], _ movers: [(song: Song, from: AlbumID)], to id: AlbumID
  ) {
    guard let album = now.albums[id] else { return }
    let library = now
    let all = (library.songs(of: album) + new + movers.map(\.song)).inDefaultOrder()
    let fresh = Dictionary(uniqueKeysWithValues: new.map { ($0.id, $0) })
    let origins = Dictionary(uniqueKeysWithValues: movers.map { ($0.song.id, $0.from) })
    var previous: SongID?
    for song in all {
      if let song = fresh[song.id] {
        add(song, to: id, after: previous)
      } else if let origin = origins[song.id] {
        make(.songRegrouped(song.id, album: id, after: previous, was: origin))
      }
      previous = song.id
    }
  }

  mutating func add(_ song: Song, to album: AlbumID, after: SongID?) {
    make(
      .songAdded(
        song.id,
        SongRecord(
          album: album, after: after, path: song.path, digest: song.digest, added: song.added,
          seen: song.seen)))
    if let facts = song.facts { outcome.decision.library.attach(facts, to: song.id) }
  }

  /// Sorts songs that arrive together by their former order: crate, album, song.
  private func inFormerOrder(
    _ movers: [(song: Song, from: AlbumID)]
  ) -> [(song: Song, from: AlbumID)] {
    if movers.count < 2 { return movers }
    let byAlbum = Dictionary(grouping: movers, by: \.from)
    return former.inOrder(Array(byAlbum.keys)).flatMap { from in
      let order = former.albums[from]?.entries ?? []
      let entries = Dictionary(zip(order, order.indices)) { first, _ in first }
      return (byAlbum[from] ?? []).ascending { entries[$0.song.id] ?? .max }
    }
  }

  // MARK: Albums that begin

  /// Adds a new album with songs of another one directly above that one, arranged if that one was.
  mutating func begin(_ group: GroupKey, above origin: Album, _ incoming: Incoming) {
    guard let crate = now.crate(origin.crate) else { return }
    let id = mintAlbum(group)
    make(
      .albumAdded(
        id,
        AlbumRecord(
          crate: crate.name, after: predecessor(of: origin.id, in: crate.albums), group: group,
          seen: contents.seen)))
    if origin.isArranged { make(.albumArranged(id, true)) }
    if let album = now.albums[id] { enter(album, incoming) }
  }

  /// Adds new albums on top of the crate for them, the most recently added first.
  mutating func beginOnTop(_ groups: [GroupKey], _ incoming: [GroupKey: Incoming]) {
    if groups.isEmpty { return }
    let crate = crateForNewAlbums()
    let newcomers = groups.compactMap { group -> Newcomer? in
      guard let incoming = incoming[group] else { return nil }
      let songs = (incoming.new + incoming.movers.map(\.song)).inDefaultOrder()
      return Newcomer(
        id: mintAlbum(group), group: group, face: AlbumFace(of: songs, group: group),
        added: songs.lazy.map(\.added).min() ?? 0)
    }.sorted()
    var fresh = contents.isFirstScan ? freshAlbums(in: crate) : FreshAlbums()
    var previous: AlbumID?
    for newcomer in newcomers {
      let after =
        contents.isFirstScan ? placeAmongFresh(newcomer, &fresh, in: crate) : previous
      make(
        .albumAdded(
          newcomer.id,
          AlbumRecord(
            crate: crate, after: after, group: newcomer.group, seen: contents.seen,
            isFresh: contents.isFirstScan)))
      previous = newcomer.id
      guard let incoming = incoming[newcomer.group],
        let album = now.albums[newcomer.id]
      else { continue }
      enter(album, incoming)
    }
    if contents.isFirstScan { outcome.memory.fresh = fresh }
  }

  private func freshAlbums(in name: String) -> FreshAlbums {
    let library = now
    let crate = library.crate(named: name)
    if let fresh = outcome.memory.fresh, fresh.crate == crate?.id { return fresh }
    return FreshAlbums(
      crate: crate?.id, albums: (crate?.albums ?? []).filter(library.isFreshlyPut))
  }

  /// Puts a new album in its place among the albums of a first scan, so that the result is the same
  /// as that of a single merge.
  private func placeAmongFresh(
    _ newcomer: Newcomer, _ fresh: inout FreshAlbums, in name: String
  ) -> AlbumID? {
    let library = now
    var low = 0
    var high = fresh.albums.count
    while low < high {
      let middle = (low + high) / 2
      guard let album = library.albums[fresh.albums[middle]] else { return nil }
      if Newcomer(album, library) < newcomer { low = middle + 1 } else { high = middle }
    }
    let above = low == 0 ? nil : fresh.albums[low - 1]
    let below = low == fresh.albums.count ? nil : fresh.albums[low]
    fresh.albums.insert(newcomer.id, at: low)
    guard let below else { return above }
    return predecessor(of: below, in: library.crate(named: name)?.albums ?? [])
  }

  private mutating func crateForNewAlbums() -> String {
    let library = now
    if let newAlbums {
      if let crate = library.crate(named: newAlbums) { return crate.name }
      make(.crateAdded(newAlbums, after: library.crates.last?.name))
      return newAlbums
    }
    // The first listed crate is determined by what was listed before.
    if let crate = former.crates.first(where: former.isListed) ?? library.crates.first {
      return crate.name
    }
    make(.crateAdded(Library.firstCrate, after: nil))
    return Library.firstCrate
  }

  /// Ends a first scan. The albums that it added and the user has not moved are sorted once more,
  /// since an album's songs may have arrived in several pieces.
  mutating func endFirstScan() {
    for crate in now.crates {
      let library = now
      let order = Array(crate.albums)
      let fresh = order.filter(library.isFreshlyPut).compactMap { library.albums[$0] }
      let sorted = fresh.map { Newcomer($0, library) }.sorted()
      outcome.decision.arrange(permuting(sorted.map(\.id), in: order), in: crate)
    }
    if now.isBeingScanned { make(.firstScanEnded(contents.root)) }
  }

  /// Puts the songs of an album that is not arranged in default order.
  mutating func followTags(_ id: AlbumID) {
    guard let album = now.albums[id], !album.isArranged,
      let goal = now.membersInDefaultOrder(of: album)
    else { return }
    if goal != now.members(of: album) {
      outcome.decision.arrange(goal, in: album)
    }
  }
}

/// The albums that a first scan has put into a crate so far, in their order. Each piece of the scan
/// passes them to the next, which then need not search the crate.
struct FreshAlbums: Sendable {
  fileprivate var crate: CrateID?
  fileprivate var albums: [AlbumID] = []
  /// The library's sequence at which they were valid. With another one they are computed again.
  var sequence = 0

  /// Whether the albums and their order are still valid after a merge's change.
  static func survive(_ change: Change) -> Bool {
    switch change {
    case .albumMoved, .albumRemoved, .albumTookOver, .firstScanEnded: false
    default: true
    }
  }
}

/// A new album with the properties that determine its place: the most recently added on top, then
/// by artist, year, title and id.
struct Newcomer: Comparable {
  var id: AlbumID
  var group: GroupKey
  var face: AlbumFace
  var added: Int64

  init(id: AlbumID, group: GroupKey, face: AlbumFace, added: Int64) {
    self.id = id
    self.group = group
    self.face = face
    self.added = added
  }

  init(_ album: Album, _ library: Library) {
    self.init(
      id: album.id, group: album.group, face: library.face(of: album),
      added: library.summary(of: album).added)
  }

  static func < (left: Newcomer, right: Newcomer) -> Bool {
    let (one, other) = (left.face, right.face)
    return precedence(right.added, left.added)
      ?? naturalPrecedence(one.artist, other.artist)
      ?? precedence(one.year ?? Int.max, other.year ?? Int.max)
      ?? naturalPrecedence(one.title, other.title) ?? (left.id < right.id)
  }
}
