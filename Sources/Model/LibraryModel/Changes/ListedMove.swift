/// One step from the listings before a transaction to the listings after it. The steps are applied
/// in order. Each takes an item out and puts it directly behind another one, or first.
package struct ListedMove: Hashable, Sendable {
  /// The moved item is the innermost of the three that is set.
  package var crate: String?
  package var album: AlbumID?
  package var song: SongID?
  /// The nearest listed predecessor, in the form in which clients name it. Nil for the first item.
  package var after: String?
  /// The former name of a crate.
  package var was: String?
}

extension Library {
  /// Returns the steps that turn the listings of one library into those of the other.
  ///
  /// - Parameters:
  ///   - changes: the changes from one to the other.
  ///   - most: the most steps that are returned. If there are more, only the first ones are, and
  ///     `isWhole` is false.
  package static func listedMoves(
    of changes: some Sequence<Change>, from before: Library, to after: Library, most: Int
  ) -> (moves: [ListedMove], isWhole: Bool) {
    var following = ListingsFollowed(before: before, after: after, most: most)
    following.follow(changes)
    return (following.moves, following.isWhole)
  }
}

private struct ListingsFollowed {
  let before: Library
  let after: Library
  let most: Int
  private(set) var moves: [ListedMove] = []
  private(set) var isWhole = true

  private var crates: Set<String> = []
  private var formerNames: [String: String] = [:]
  private var albums: Set<AlbumID> = []
  private var songs: Set<SongID> = []

  init(before: Library, after: Library, most: Int) {
    (self.before, self.after, self.most) = (before, after, most)
  }

  mutating func follow(_ changes: some Sequence<Change>) {
    for change in changes { note(change) }
    followCrates()
    followAlbums()
    followSongs()
    // Removals come last, when the songs that have moved elsewhere have left these albums.
    for id in albums.sorted() where isListed(id, before) && !isListed(id, after) {
      add(ListedMove(album: id))
    }
  }

  private mutating func add(_ move: ListedMove) {
    if moves.count < most { moves.append(move) } else { isWhole = false }
  }

  /// Records the items whose place a change may affect.
  private mutating func note(_ change: Change) {
    switch change {
    case .crateAdded(let name, _, _), .crateMoved(let name, _, _): crates.insert(folded(name))
    case .crateRenamed(let old, let new):
      formerNames[folded(new)] = formerNames.removeValue(forKey: folded(old)) ?? old
      crates.insert(folded(new))
    case .albumAdded(let id, _), .albumMoved(let id, _, _, _, _), .albumRemoved(let id, _):
      albums.insert(id)
    case .albumTookOver(let id, let other):
      albums.formUnion([id, other])
      for id in before.albums[other]?.entries ?? [] { songs.insert(id) }
    case .songAdded(let id, _), .songMoved(let id, _, _, _), .songRegrouped(let id, _, _, _),
      .songGone(let id, _), .songForgotten(let id, _):
      noteSong(id)
    case .songFollowed(let id, _, _, _):
      if before.songs[id]?.isGone == true { noteSong(id) }
    case .crateRemoved, .albumArranged, .albumTouched, .firstScanEnded, .albumRegrouped,
      .songRetagged, .slotDropped, .slotRestored, .aliasDropped, .aliasRestored:
      break
    }
  }

  private mutating func noteSong(_ id: SongID) {
    songs.insert(id)
    // It may have been the only listed song of its album.
    for song in [before.songs[id], after.songs[id]] {
      if let song, isListed(song.album, before) != isListed(song.album, after) {
        albums.insert(song.album)
      }
    }
  }

  private func isListed(_ id: AlbumID, _ library: Library) -> Bool {
    library.listedCount(of: id) > 0
  }

  // MARK: Crates

  /// Adds the steps of crates. A crate is listed only while it has listed albums.
  private mutating func followCrates() {
    for id in albums {
      if let crate = after.albums[id].flatMap({ after.crate($0.crate) }),
        isNew(crate), isListed(id, after)
      {
        crates.insert(crate.folded)
      }
    }
    var previous: String?
    for crate in after.crates where !crates.isEmpty {
      guard after.listedCount(in: crate) > 0 else { continue }
      if crates.contains(crate.folded) {
        add(ListedMove(crate: crate.name, after: previous, was: formerNames[crate.folded]))
      }
      previous = crate.name
    }
  }

  /// Whether the listings did not show the crate before.
  private func isNew(_ crate: Crate) -> Bool {
    let name = formerNames[crate.folded] ?? crate.name
    return before.crate(named: name).map { before.listedCount(in: $0) == 0 } ?? true
  }

  // MARK: Albums

  private mutating func followAlbums() {
    for id in after.inOrder(albums.filter { isListed($0, after) }) {
      guard let crate = after.albums[id].flatMap({ after.crate($0.crate) }) else { continue }
      let above = after.listedPredecessor(of: id, in: crate)
      add(ListedMove(crate: crate.name, album: id, after: above.map { "\($0)" }))
    }
  }

  // MARK: Songs

  private mutating func followSongs() {
    var homes: Set<AlbumID> = []
    for id in songs {
      if let song = after.songs[id], !song.isGone { homes.insert(song.album) }
    }
    for id in songs.sorted() where after.songs[id].map(\.isGone) ?? true {
      // A song that leaves with its album needs no step of its own.
      guard let former = before.songs[id], !former.isGone, isListed(former.album, after) else {
        continue
      }
      add(ListedMove(album: former.album, song: id))
    }
    for home in after.inOrder(Array(homes)) {
      guard isWhole, let album = after.albums[home], let crate = after.crate(album.crate) else {
        continue
      }
      // All songs of a newly listed album come with it.
      let isNew = !isListed(home, before)
      var previous: SongID?
      for song in after.listedSongs(of: album) {
        if isNew || songs.contains(song.id) {
          add(
            ListedMove(
              crate: crate.name, album: home, song: song.id, after: previous.map { "\($0)" }))
        }
        previous = song.id
      }
    }
  }
}
