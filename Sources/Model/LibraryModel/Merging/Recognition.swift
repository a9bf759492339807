import Text

/// Finds the song of each cluster: the fourth stage of a merge (merge-rules.md, section 3).
///
/// A song either *has* a cluster or is without a file. Each step is done for all songs without a
/// file and all clusters before the next begins. A cluster of a younger, untouched song may still
/// be matched with an older one. The younger song is then *displaced*, and its place is dropped.
struct Recognition {
  let observation: Observation
  let around: Neighbourhood
  /// The song of each cluster, as far as it is known.
  private(set) var holders: [SongID?]
  private(set) var evidence: [Evidence]
  private(set) var clusterOf: [SongID: Int] = [:]
  private(set) var displaced: Set<SongID> = []
  /// Songs by the index of a cluster whose new song takes over their place.
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

  /// Matches each song with its own path if that has its sound, even if the song was gone. Of
  /// several songs, prefers those that are in the cluster's group, then touched ones, then older
  /// ones.
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

  /// Whether no file of the song is known to exist with its sound.
  func isWithoutFile(_ song: Song) -> Bool {
    if clusterOf[song.id] != nil || displaced.contains(song.id) { return false }
    return song.isGone || around.examined.contains(song.id)
      || observation.files(of: song).allSatisfy { path in
        observation.isAwaited(path) || observation.before.away.covers(path)
      }
  }

  /// Returns all songs without a file that match the key.
  func songsWithoutFile(_ key: SongKey) -> [Song] { around.missed(key).filter(isWithoutFile) }

  /// Whether the song may be matched with the cluster. A song that was gone before is matched only
  /// with clusters that the scan changed, so that recognised files stay with their songs.
  func isLookedFor(_ song: Song, in place: Int) -> Bool { !song.isGone || clusters[place].isNews }

  /// Sorts songs by the order in which they are matched.
  func bySeniority(_ songs: [Song]) -> [Song] {
    if songs.count < 2 { return songs }
    return songs.ascending { Seniority($0, in: observation.before) }
  }

  // MARK: What comes of it

  private func result() -> Recognised {
    let lost = around.missed.filter(isWithoutFile)
    let dropped = dropped(lost)
    let left = lost.filter { !dropped.contains($0.id) }
    let waiting = left.filter(observation.isWaiting)
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

  /// Returns the songs whose places are dropped: those whose files other songs took over, and
  /// temporary ones.
  private func dropped(_ lost: [Song]) -> Set<SongID> {
    var dropped = displaced
    let files = SameFiles(lost.isEmpty ? [] : clusters, observation)
    for song in lost
    where !observation.isWaiting(song) && (wasNeverMissed(song) || wasPutOver(song, files)) {
      dropped.insert(song.id)
    }
    // The older song may have got that sound in this very scan.
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

  /// Whether the song is untouched and an older one has its sound: it was a temporary file of a
  /// tagger or a download.
  private func wasNeverMissed(_ song: Song) -> Bool {
    guard let digest = song.digest, !observation.isTouched(song),
      !observation.before.away.covers(song.path)
    else { return false }
    return song.seen > around.firstSeen[digest] ?? song.seen
  }

  /// Whether an untouched song's file was moved over that of another song with the same album and
  /// sound that was first seen in the same scan. It was a temporary file of that song from the
  /// beginning. If the two were first seen in different scans, their age decides.
  private func wasPutOver(_ song: Song, _ files: SameFiles) -> Bool {
    song.digest != nil && !observation.isTouched(song)
      && !observation.before.away.covers(song.path)
      && (files.places(of: song, observation).contains { isTwin(song, ofHolderAt: $0) }
        || wasCovered(song, files))
  }

  /// Whether the other song's file now has the name of this song's file. The file was then moved
  /// over this one, and their folder was renamed in the same scan.
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

/// Mints the ids of new songs.
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
