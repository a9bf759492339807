/// The songs that move into a group in this merge.
struct Incoming {
  /// Songs that were in another album, with that album.
  var movers: [(song: Song, from: AlbumID)] = []
  /// New songs.
  var new: [Song] = []

  var count: Int { movers.count + new.count }
}

extension Placing {
  /// Puts every song of the merge into the album of its group.
  mutating func placeInAlbums() {
    takePlaces()
    var incoming = gatherIncoming()
    let earlier = outcome.memory.leaving(in: contents.root).union(leftBefore)
    let left = inOrderOfHeirs(
      earlier.union(incoming.values.flatMap(\.movers).map(\.from)), incoming)
    var leaving: [SongID: GroupKey] = [:]
    for (group, coming) in incoming {
      for (song, _) in coming.movers { leaving[song.id] = group }
    }
    for album in left { regroupWhole(album, &incoming, &leaving) }

    let groups = incoming.keys.sorted { ($0.family, $0.edition) < ($1.family, $1.edition) }
    var beginning: [GroupKey] = []
    for group in groups {
      guard let incoming = incoming[group], incoming.count > 0 else { continue }
      if let album = albumNow(of: group) {
        enter(album, incoming)
      } else if let origin = origin(of: incoming) {
        begin(group, above: origin, incoming)
      } else {
        beginning.append(group)
      }
    }
    beginOnTop(beginning, incoming)
    for album in left { handOver(album) }
    outcome.memory[contents.root].leaving = Set(left.filter(isWaitedFor))
  }

  /// Whether files of the album's songs are missing that may still be found elsewhere.
  private func isWaitedFor(_ id: AlbumID) -> Bool {
    let library = now
    guard let album = library.albums[id] else { return false }
    return library.songs(of: album).contains { song in
      !song.isGone && observation.isMissing(song.path)
    }
  }

  /// Albums that lost a song in an earlier scan but looked complete, because a tagger's temporary
  /// copy stood in for it. That copy is dropped in this merge, so a hand-over is decided now.
  private var leftBefore: Set<AlbumID> {
    let (library, before) = (now, observation.before)
    let dropped = recognised.dropped.compactMap { before.songs[$0] }
    return Set(
      Dictionary(grouping: dropped, by: \.album).compactMap { id, songs in
        let sounds = Set(songs.compactMap(\.digest))
        let hasLeft = library.albums[id]?.entries.contains { entry in
          guard let song = before.songs[entry], let digest = song.digest,
            library.songs[entry].map(isThere) == true
          else { return false }
          return song.album != id && sounds.contains(digest)
        }
        return hasLeft == true ? id : nil
      })
  }

  // MARK: What comes

  private mutating func gatherIncoming() -> [GroupKey: Incoming] {
    var incoming: [GroupKey: Incoming] = [:]
    let library = now
    for piece in recognised.pieces {
      let group = piece.cluster.group
      if let song = library.songs[piece.song] {
        if library.albums[song.album]?.group == group { continue }
        outcome.albums.insert(song.album)
        incoming[group, default: Incoming()].movers.append((song, song.album))
      } else {
        incoming[group, default: Incoming()].new.append(newSong(piece))
      }
    }
    return incoming
  }

  func newSong(_ piece: Recognised.Piece) -> Song {
    let cluster = piece.cluster
    let facts = observation.facts(at: cluster.path)
    return Song(
      id: piece.song, album: AlbumID(number: 0), group: cluster.group, path: cluster.path,
      digest: cluster.digest, added: added(facts), seen: contents.seen, facts: facts)
  }

  /// Returns the time at which the song counts as added: the time of the scan, or in a first scan
  /// the file's own time, but never a future time.
  private func added(_ facts: FileFacts?) -> Int64 {
    let sight = min(contents.seen, contents.now)
    guard contents.isFirstScan, let stamp = facts?.stamp else { return sight }
    let modified = stamp.modified / 1_000_000
    let birth = stamp.identity.birth / 1_000_000
    return min(sight, birth > 0 ? min(birth, modified) : modified)
  }

  /// Returns the group's present album.
  private func albumNow(of group: GroupKey) -> Album? {
    let library = now
    if let id = observation.lookups.albumOfGroup[group], let album = library.albums[id],
      album.group == group
    {
      return album
    }
    return grouped[group].flatMap { library.albums[$0] }.flatMap { $0.group == group ? $0 : nil }
  }

  /// Returns the album above which a new one begins. It exists if at least half of the new album's
  /// songs come from known albums: the album that gave most of them, of equals the uppermost.
  private func origin(of incoming: Incoming) -> Album? {
    // Songs that this very scan saw first are as new as in a single merge.
    let known = incoming.movers.filter { isKnown($0.song) }
    guard known.count * 2 >= incoming.count, !known.isEmpty else { return nil }
    let counts = Dictionary(grouping: known, by: \.from).mapValues(\.count)
    let most = counts.values.max()
    // In the order before the first song was placed.
    let origin = former.inOrder(counts.filter { $0.value == most }.map(\.key)).first
    return origin.flatMap { now.albums[$0] }
  }

  /// Sorts albums that could continue as the same group: touched ones first, then those that give
  /// most songs, then by their order.
  private func inOrderOfHeirs(
    _ ids: Set<AlbumID>, _ incoming: [GroupKey: Incoming]
  ) -> [AlbumID] {
    if ids.count < 2 { return Array(ids) }
    let leaving = Set(incoming.values.flatMap(\.movers).map(\.song.id))
    func given(by id: AlbumID) -> Int {
      (former.albums[id]?.entries ?? []).compactMap { former.songs[$0] }.count { song in
        leaving.contains(song.id) || (song.album != id && isThere(song))
      }
    }
    return former.inOrder(Array(ids)).enumerated()
      .map { (isUntouched: !former.isTouched($1), given: given(by: $1), place: $0, id: $1) }
      .sorted { left, right in
        if left.isUntouched != right.isUntouched { return right.isUntouched }
        return (-left.given, left.place) < (-right.given, right.place)
      }.map(\.id)
  }

  private func isKnown(_ song: Song) -> Bool {
    song.seen < contents.seen || former.isTouched(song)
  }

  // MARK: Albums that keep their identity

  /// Changes the group of an album whose songs all leave, most of them for one new group. The
  /// result is the same as that of a hand-over, in one change.
  ///
  /// - Parameter leaving: the songs of `incoming` that were in another album, with their new
  ///   groups.
  private mutating func regroupWhole(
    _ id: AlbumID, _ incoming: inout [GroupKey: Incoming], _ leaving: inout [SongID: GroupKey]
  ) {
    guard let album = now.albums[id], contents.seen > album.seen,
      // An album that is filled again in this very merge keeps its group.
      incoming[album.group] == nil,
      let winner = successor(of: album, leaving), albumNow(of: winner) == nil,
      let coming = incoming[winner]
    else { return }
    // Songs that left it earlier came from it, too.
    let slots = Set(album.entries)
    guard coming.movers.count(where: { slots.contains($0.song.id) }) * 2 >= coming.count
    else { return }
    let alias = mintAlbum(winner)
    make(.albumRegrouped(id, group: winner, was: album.group, alias: alias))
    outcome.songs.formUnion(now.songs(of: album).map(\.id))
    outcome.albums.insert(id)
    for (song, from) in coming.movers where from == id { leaving[song.id] = nil }
    incoming[winner]?.movers.removeAll { $0.from == id }
    regrouped.insert(id)
  }

  /// Returns the group of more than half of the songs that leave the album, or left it and are
  /// present. Nil if a song stays.
  private func successor(of album: Album, _ leaving: [SongID: GroupKey]) -> GroupKey? {
    let library = now
    var counts: [GroupKey: Int] = [:]
    for id in album.entries {
      guard let song = library.songs[id] else { continue }
      if let group = leaving[id] {
        counts[group, default: 0] += 1
      } else if song.album != album.id {
        guard isThere(song) else { continue }
        if let group = library.albums[song.album]?.group { counts[group, default: 0] += 1 }
      } else if !song.isGone {
        return nil
      }
    }
    let all = counts.values.reduce(0, +)
    return counts.first { $0.value * 2 > all }?.key
  }

  /// Whether the song is present. A song whose file is missing in this very scan is not, although
  /// it may still be found elsewhere: a moment later it would be gone.
  private func isThere(_ song: Song) -> Bool {
    !song.isGone && !observation.isMissing(song.path)
      && now.presence(of: song) == .present
  }

  /// Hands an album over. If all songs have left it by retagging, it takes over the younger,
  /// untouched album that more than half of them went to, and its group. A song that is waited for
  /// has not left: it may be found elsewhere, and stay in the album.
  private mutating func handOver(_ id: AlbumID) {
    let library = now
    guard let album = library.albums[id], library.songs(of: album).allSatisfy(\.isGone)
    else { return }
    var counts: [AlbumID: Int] = [:]
    for id in album.entries {
      guard let song = library.songs[id], song.album != album.id, isThere(song) else { continue }
      counts[song.album, default: 0] += 1
    }
    let all = counts.values.reduce(0, +)
    guard let most = counts.first(where: { $0.value * 2 > all })?.key,
      let heir = library.albums[most], !library.isTouched(heir.id), heir.seen > album.seen
    else { return }
    let slots = Set(album.entries)
    let present = library.songs(of: heir).filter(isThere)
    guard present.count(where: { slots.contains($0.id) }) * 2 >= present.count else { return }
    outcome.songs.formUnion(heir.entries + album.entries)
    outcome.albums.formUnion([id, heir.id])
    make(.albumTookOver(id, other: heir.id))
    if album.isArranged, let joined = now.albums[id] {
      // Songs that are new to an arranged album go on top of it, in their order.
      let new = heir.entries.filter { !slots.contains($0) }
      outcome.decision.arrange(
        placing(new, at: .top, in: joined.entries), in: joined, chosen: Set(new))
    }
  }

  func mintAlbum(_ group: GroupKey) -> AlbumID {
    let (library, before) = (now, observation.before)
    return AlbumID(
      number: IdentifierText.mint(Array("album\t\(group.mintedAlbum)".utf8)) { number in
        // The id of an album that was removed in this very merge must not be reused.
        [library, before].contains { $0.album(AlbumID(number: number)) != nil }
      })
  }

  // MARK: Places of songs that went back to their slots

  /// Adds a new song that takes over the file and the place of a song that is back in its slot.
  /// That song's own slot is kept beside the new one, which may exist only for a moment.
  private mutating func takePlaces() {
    for piece in recognised.pieces {
      guard let former = piece.inPlaceOf, piece.isNew, let song = now.songs[former],
        let album = now.albums[song.album], album.group == piece.cluster.group
      else { continue }
      add(newSong(piece), to: album.id, after: song.id)
    }
  }
}
