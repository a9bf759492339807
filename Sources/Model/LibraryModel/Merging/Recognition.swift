import Text

/// Finds the song of each cluster: the fourth stage of a merge, specification 1.4 in its order.
///
/// A song *has* a cluster, or is without a file. Each step is done for all songs without a file and
/// all clusters before the next begins. A cluster that a younger, untouched song has may still
/// become that of an older one: the younger song is *displaced* then, and its place dropped.
struct Recognition {
  let observation: Observation
  let around: Neighbourhood
  /// The song of each cluster, as far as it is known.
  private(set) var holders: [SongID?]
  private(set) var evidence: [Evidence]
  private(set) var clusterOf: [SongID: Int] = [:]
  private(set) var displaced: Set<SongID> = []
  /// The new song of a cluster takes the place of this one.
  var inPlaceOf: [Int: SongID] = [:]

  var clusters: [Cluster] { around.clusters }

  private init(_ around: Neighbourhood) {
    self.around = around
    observation = around.observation
    holders = around.clusters.map { _ in nil }
    evidence = around.clusters.map { _ in .path }
  }

  static func recognise(_ around: Neighbourhood) -> Recognised {
    var recognition = Recognition(around)
    recognition.keepOwnFiles()
    if around.mayHaveSongsWithoutFile {
      recognition.matchRemade()
      recognition.matchSounds()
      recognition.matchMovedAlbums()
      recognition.matchTheRest()
    }
    recognition.returnToSlots()
    return recognition.result()
  }

  // MARK: Step 0

  /// Before anything else, a song has its own path with its sound, also where it was gone. Of
  /// several, the one that was in this group until now, then the touched, then the older.
  private mutating func keepOwnFiles() {
    for (place, cluster) in clusters.enumerated() {
      var songs = cluster.owners
      if songs.count > 1 {
        let isHome = songs.filter { observation.group(of: $0) == cluster.group }
        songs = bySeniority(isHome.isEmpty ? songs : isHome)
      }
      if let best = songs.first { give(best.id, place, by: best.isGone ? .sound : .path) }
    }
  }

  // MARK: Songs and clusters

  func holder(_ place: Int) -> Song? { holders[place].flatMap { observation.before.songs[$0] } }

  mutating func give(_ song: SongID, _ place: Int, by evidence: Evidence) {
    if let former = holders[place] {
      displaced.insert(former)
      clusterOf[former] = nil
    }
    if let old = clusterOf[song] { holders[old] = nil }
    holders[place] = song
    clusterOf[song] = place
    self.evidence[place] = evidence
  }

  /// Whether no file of the song is known to be there, with its sound.
  func isWithoutFile(_ song: Song) -> Bool {
    if clusterOf[song.id] != nil || displaced.contains(song.id) { return false }
    return song.isGone || around.examined.contains(song.id)
      || observation.files(of: song).allSatisfy { path in
        observation.isAwaited(path) || observation.before.away.covers(path)
      }
  }

  /// All songs without a file that are known by the key.
  func songsWithoutFile(_ key: SongKey) -> [Song] { around.missed(key).filter(isWithoutFile) }

  /// Whether the song may be looked for in the cluster: what was gone before is, only in what the
  /// scan brought. What was recognised stays so.
  func isLookedFor(_ song: Song, in place: Int) -> Bool { !song.isGone || clusters[place].isNews }

  /// Sorts songs by who is matched first.
  func bySeniority(_ songs: [Song]) -> [Song] {
    if songs.count < 2 { return songs }
    return songs.ascending { Seniority($0, in: observation.before) }
  }

  // MARK: What comes of it

  private func result() -> Recognised {
    let lost = around.missed.filter(isWithoutFile)
    let dropped = dropped(lost)
    let left = lost.filter { !dropped.contains($0.id) }
    let waiting = left.filter { song in
      observation.isWaiting(song) && observation.vanished.contains(song.path)
    }
    let gone = left.filter { song in
      !observation.isWaiting(song) && !observation.before.away.covers(song.path)
    }
    var minting = Minting(observation: observation)
    let pieces = clusters.indices.map { place in
      let cluster = clusters[place]
      return Recognised.Piece(
        cluster: cluster, song: holders[place] ?? minting.mint(cluster),
        evidence: evidence[place], isNew: holders[place] == nil, inPlaceOf: inPlaceOf[place])
    }
    return Recognised(
      pieces: pieces, dropped: dropped.sorted(), lost: gone.map(\.id), waiting: waiting.map(\.id))
  }

  /// Songs whose places are dropped: those whose files became others', and those that never were.
  private func dropped(_ lost: [Song]) -> Set<SongID> {
    var dropped = displaced
    let files = SameFiles(lost.isEmpty ? [] : clusters, observation)
    for song in lost
    where !observation.isWaiting(song) && (wasNeverMissed(song) || wasPutOver(song, files)) {
      dropped.insert(song.id)
    }
    // The older song may have got that sound in this very look.
    for (digest, places) in around.places {
      guard let old = places.compactMap(holder).min(by: { $0.seen < $1.seen }) else { continue }
      for song in songsWithoutFile(.sound(digest))
      where !observation.isWaiting(song) && !observation.isOffline(song)
        && observation.isYoungerAndUntouched(song, than: old)
      {
        dropped.insert(song.id)
      }
    }
    return dropped
  }

  /// Whether an older song has the sound of one that nobody touched: a file that a tagger or a
  /// download had for a moment.
  private func wasNeverMissed(_ song: Song) -> Bool {
    guard let digest = song.digest, !observation.isTouched(song),
      !observation.before.away.covers(song.path)
    else { return false }
    return song.seen > around.firstSeen[digest] ?? song.seen
  }

  /// Whether the very file of a song that nobody touched was put over that of another one of its
  /// album and sound, seen at once with it: it was to be that one from the beginning. Of two that
  /// were seen one after the other, their age tells.
  private func wasPutOver(_ song: Song, _ files: SameFiles) -> Bool {
    song.digest != nil && !observation.isTouched(song)
      && !observation.before.away.covers(song.path)
      && (files.places(of: song, observation).contains { isTwin(song, ofHolderAt: $0) }
        || wasCovered(song, files))
  }

  /// Whether the other song's very file now has the name that this song's file had: the file was
  /// put over it, and their folder was renamed in the same scan.
  private func wasCovered(_ song: Song, _ files: SameFiles) -> Bool {
    files.places(named: song.path.name).contains { place in
      guard isTwin(song, ofHolderAt: place), let other = holder(place) else { return false }
      return other.path.name != song.path.name
        && clusters[place].paths.contains { path in
          path.name == song.path.name && isSameFile(other, at: path)
        }
    }
  }

  private func isTwin(_ song: Song, ofHolderAt place: Int) -> Bool {
    guard clusters[place].digest == song.digest, let other = holder(place) else { return false }
    return other.id != song.id && other.seen == song.seen && other.album == song.album
  }
}

/// Gives new songs their ids.
private struct Minting {
  let observation: Observation
  private var minted: Set<UInt64> = []

  init(observation: Observation) { self.observation = observation }

  mutating func mint(_ cluster: Cluster) -> SongID {
    var words = Array("song\t".utf8)
    if let digest = cluster.digest {
      for half in [digest.high, digest.low] {
        words += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) }
      }
    } else {
      let root = observation.lookups.root(of: cluster.path)
      let path = cluster.path.relative(to: root) ?? cluster.path
      words += normalised(path.bytes)
    }
    words += Array("\t\(cluster.group.minted)".utf8)
    let number = IdentifierText.mint(words) { number in
      minted.contains(number) || observation.before.songs[SongID(number: number)] != nil
    }
    minted.insert(number)
    return SongID(number: number)
  }
}
