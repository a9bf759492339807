/// Turns recognised songs into changes of the library: the last stage of a merge
/// (merge-rules.md, section 4).
struct Placing {
  let observation: Observation
  let recognised: Recognised
  /// The crate for new albums. Nil: the first listed one.
  let newAlbums: String?
  var outcome: Merge.Outcome
  /// Albums that continue with a new group.
  var regrouped: Set<AlbumID> = []
  /// Albums that this merge created or gave another group, by that group.
  private(set) var grouped: [GroupKey: AlbumID] = [:]
  /// The library after every song has followed its file, and before any has been placed.
  private(set) var former: Library

  /// The present value of the library.
  var now: Library { outcome.decision.library }

  var contents: FolderContents { observation.contents }

  static func place(
    _ recognised: Recognised, _ observation: Observation, newAlbums: String?,
    _ memory: Merge.Memory
  ) -> Merge.Outcome {
    var placing = Placing(
      observation: observation, recognised: recognised, newAlbums: newAlbums,
      outcome: Merge.Outcome(
        decision: Decision(library: observation.before, by: .folder), memory: memory),
      former: observation.before)
    if memory.fresh?.sequence != observation.before.sequence { placing.outcome.memory.fresh = nil }
    placing.outcome.memory[observation.contents.root].absent = observation.absent
    placing.followFiles()
    placing.loseFiles()
    placing.waitWithOthers()
    placing.dropSuperfluous()
    placing.former = placing.now
    placing.placeInAlbums()
    placing.dropAlbums { album, library in
      album.entries.isEmpty
        || (!library.isTouched(album.id) && library.members(of: album).isEmpty)
    }
    placing.noteRetagged()
    for album in placing.outcome.albums.sorted() { placing.followTags(album) }
    if placing.contents.endsFirstScan { placing.endFirstScan() }
    placing.outcome.decision.dropEmptyCrates(except: newAlbums)
    if !placing.outcome.decision.changes.allSatisfy(FreshAlbums.survive) {
      placing.outcome.memory.fresh = nil
    }
    placing.followDuplicateFiles()
    placing.outcome.decision.tell(.merge, from: observation.before)
    return placing.outcome
  }

  mutating func make(_ change: Change) {
    outcome.decision.make(change)
    switch change {
    case .albumAdded(let id, let record): grouped[record.group] = id
    case .albumRegrouped(let id, let group, _, _): grouped[group] = id
    default: break
    }
  }

  // MARK: Files

  /// Assigns files to recognised songs, and attaches their facts.
  private mutating func followFiles() {
    for path in observation.vanished { outcome.files[path] = .noSong }
    for piece in recognised.pieces {
      outcome.songs.insert(piece.song)
      let offline = piece.cluster.offline.filter { !isKept($0, from: piece.song) }
      for path in piece.cluster.paths + offline {
        outcome.files[path] = .song(piece.song, facts: observation.facts(at: path))
      }
    }
    for piece in recognised.pieces where !piece.isNew {
      if let song = observation.before.songs[piece.song] { follow(song, to: piece) }
    }
  }

  /// Whether the file belongs to another song, which is offline and stays unchanged. The two become
  /// one only when it is back.
  private func isKept(_ path: BytePath, from song: SongID) -> Bool {
    guard let owner = observation.song(at: path), owner.id != song, owner.path == path else {
      return false
    }
    return observation.isOffline(owner) && !recognised.songs.contains(owner.id)
  }

  private mutating func follow(_ song: Song, to piece: Recognised.Piece) {
    outcome.albums.insert(song.album)
    let cluster = piece.cluster
    // Offline files of a song that has moved no longer belong to it, and are new when they come
    // back.
    for path in observation.files(of: song)
    where outcome.files[path] == nil
      && (observation.isMissing(path) || observation.before.away.covers(path))
    {
      outcome.files[path] = .noSong
    }
    // A song that still has its file keeps it.
    let path = cluster.paths.contains(song.path) ? song.path : cluster.path
    if song.isGone || song.path != path || song.digest != cluster.digest {
      make(.songFollowed(song.id, path: path, digest: cluster.digest, by: piece.evidence))
    }
    // Uses the present song, since a gone song that returned has lost its facts.
    if let facts = observation.facts(at: path), now.songs[song.id]?.facts != facts {
      outcome.decision.library.attach(facts, to: song.id)
    }
  }

  /// Marks songs that lost their file as gone, unless another file of theirs is offline. Gone songs
  /// keep their places.
  private mutating func loseFiles() {
    for id in recognised.lost {
      guard let song = observation.before.songs[id] else { continue }
      outcome.songs.insert(id)
      outcome.albums.insert(song.album)
      let offline = observation.files(of: song).sorted().first { path in
        observation.before.away.isOffline(path) && outcome.files[path] == nil
      }
      if let offline {
        take(offline, for: song)
      } else {
        make(.songGone(id, song.lasting))
      }
    }
  }

  /// Assigns the awaited file to songs whose own file is gone, or another song's by now. Otherwise
  /// nothing would reveal that they have no file when that wait is over, or their sound is found
  /// elsewhere.
  private mutating func waitWithOthers() {
    for song in recognised.waiting.compactMap({ observation.before.songs[$0] })
    where outcome.files[song.path] != nil {
      outcome.songs.insert(song.id)
      outcome.albums.insert(song.album)
      let others = observation.files(of: song).filter {
        $0 != song.path && outcome.files[$0] == nil && observation.isMissing($0)
      }
      if let other = others.min() { take(other, for: song) }
    }
  }

  /// Makes another file of a song, which can't be read now, its own.
  private mutating func take(_ other: BytePath, for song: Song) {
    make(.songFollowed(song.id, path: other, digest: song.digest, by: .duplicate))
    if let facts = observation.before.facts(of: song, at: other) {
      outcome.decision.library.attach(facts, to: song.id)
    }
  }

  /// Drops songs that an older one replaces, and albums that contained nothing else.
  private mutating func dropSuperfluous() {
    for song in recognised.dropped.compactMap({ now.songs[$0] }) {
      outcome.songs.insert(song.id)
      outcome.albums.insert(song.album)
      outcome.albums.formUnion(now.wanderers[song.id] ?? [])
      outcome.decision.drop(song)
    }
    dropAlbums { album, _ in album.entries.isEmpty }
  }

  /// Assigns the duplicates to their present songs.
  private mutating func followDuplicateFiles() {
    for path in outcome.files.keys {
      if let song = observation.song(at: path) { outcome.songs.insert(song.id) }
    }
    outcome.decision.library.follow(
      outcome.files, of: outcome.songs, from: observation.before)
  }

  /// Records the songs of which listings show other tags than before. A song whose file has not
  /// been read since the index was lost can't be compared. A song that was gone is reported as
  /// returned.
  private mutating func noteRetagged() {
    let (before, after) = (observation.before, now)
    for id in outcome.songs.sorted() {
      guard let former = before.songs[id], let song = after.songs[id],
        !former.isGone, !song.isGone, let old = former.facts, let new = song.facts,
        old != new, !new.showsSameTags(as: old)
      else { continue }
      make(.songRetagged(id, in: song.album))
    }
  }

  private mutating func dropAlbums(where isMeant: (Album, Library) -> Bool) {
    for album in outcome.albums.sorted().compactMap({ now.albums[$0] }) where isMeant(album, now) {
      outcome.decision.drop(album)
    }
  }
}
