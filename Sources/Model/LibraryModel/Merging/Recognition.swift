import Text

/// Finds the song of each cluster: the fourth stage of a merge, specification 1.4 in its order.
///
/// A song *has* a cluster, or is without a file. Each step is done for all songs without a file and
/// all clusters before the next begins. A cluster that a younger, untouched song has may still
/// become that of an older one: the younger song is *displaced* then, and its place dropped.
struct Recognition {
  let observation: Observation
  let making: Clusters
  private(set) var clusters: [Cluster] = []
  /// The song of each cluster, as far as it is known.
  private(set) var holders: [SongID?] = []
  private(set) var evidence: [Evidence] = []
  private(set) var clusterOf: [SongID: Int] = [:]
  /// Songs whose files this scan can have changed: all of those files are in clusters or missing.
  private(set) var examined: Set<SongID> = []
  private(set) var displaced: Set<SongID> = []
  /// The new song of a cluster takes the place of this one.
  var inPlaceOf: [Int: SongID] = [:]
  /// Songs that lost their files in this scan, by what they are looked for by.
  private var lostByKey: [SongKey: [SongID]] = [:]
  private(set) var lost: [Song] = []
  private var gathered: Set<AudioDigest> = []
  /// Whether songs may be without a file that this scan brings no news of.
  private let mayMissOthers: Bool

  init(_ observation: Observation, _ groups: JudgedGroups) {
    self.observation = observation
    making = Clusters(observation: observation, groups: groups)
    mayMissOthers =
      !observation.before.away.places.isEmpty || observation.lookups.hasFilesOutside
      || !observation.absent.isEmpty
    let left = observation.contents.turned.filter { !observation.isThere($0) }
    for path in Array(observation.found.keys) + observation.newlyMissing + left {
      if let song = observation.song(at: path) { examined.insert(song.id) }
    }
  }

  static func recognise(_ observation: Observation, _ groups: JudgedGroups) -> Recognised {
    var recognition = Recognition(observation, groups)
    recognition.add(recognition.making.touched())
    recognition.listLost()
    // Most looks find new files in a library that misses none.
    if recognition.mayHaveSongsWithoutFile {
      recognition.matchRemade()
      recognition.matchSounds()
      recognition.matchMovedAlbums()
      recognition.listLost()
      recognition.matchTheRest()
    }
    recognition.returnToSlots()
    return recognition.result()
  }

  // MARK: Clusters

  /// Takes clusters in, each with the song that has its file already.
  mutating func add(_ new: [Cluster]) {
    let first = clusters.count
    clusters += new
    holders += new.map { _ in nil }
    evidence += new.map { _ in .path }
    for cluster in new {
      if let digest = cluster.digest { gathered.insert(digest) }
      for path in cluster.paths + cluster.offline {
        if let song = observation.song(at: path) { examined.insert(song.id) }
      }
    }
    for place in first..<clusters.count { keep(place) }
  }

  /// Before anything else, a song has its own path with its sound, also where it was gone. Of
  /// several, the one that was in this group until now, then the touched, then the older.
  private mutating func keep(_ place: Int) {
    let cluster = clusters[place]
    var songs: [Song] = []
    for path in cluster.paths {
      if let song = observation.song(at: path), song.path == path,
        observation.found[path] == nil || (song.digest != nil && song.digest == cluster.digest)
      {
        songs.append(song)
      }
      guard let digest = cluster.digest else { continue }
      songs += observation.goneSongs(.stem(path.withoutExtension)).filter {
        $0.path == path && $0.digest == digest && clusterOf[$0.id] == nil
      }
    }
    if songs.count > 1 {
      let isHome = songs.filter { observation.group(of: $0) == cluster.group }
      songs = bySeniority(isHome.isEmpty ? songs : isHome)
    }
    if let best = songs.first { give(best.id, place, by: best.isGone ? .sound : .path) }
  }

  /// The cluster of a song that has its file; gathered when it is asked for first.
  mutating func cluster(of song: Song) -> Int? {
    if let place = clusterOf[song.id] { return place }
    guard !examined.contains(song.id), isUnconcerned(song) else { return nil }
    if let digest = song.digest {
      if gathered.contains(digest) { return nil }
      add(making.clusters(of: digest))
    } else if let cluster = making.cluster(song.path) {
      add([cluster])
    }
    return clusterOf[song.id]
  }

  /// Whether the song has a file that this scan doesn't concern.
  func isUnconcerned(_ song: Song) -> Bool {
    !song.isGone && !examined.contains(song.id)
      && observation.files(of: song).contains { path in
        observation.isThere(path) && !observation.before.away.isOffline(path)
      }
  }

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

  // MARK: Songs without a file

  /// Whether no file of the song is known to be there, with its sound.
  func isWithoutFile(_ song: Song) -> Bool {
    if clusterOf[song.id] != nil || displaced.contains(song.id) { return false }
    return song.isGone || examined.contains(song.id)
      || observation.files(of: song).allSatisfy { path in
        observation.isAwaited(path) || observation.before.away.covers(path)
      }
  }

  /// Whether the wait for a file of the song is not over yet: what is there already stays whose it
  /// is until then.
  func isWaiting(_ song: Song) -> Bool {
    observation.files(of: song).contains(where: observation.isAwaited)
  }

  private var mayHaveSongsWithoutFile: Bool {
    !lost.isEmpty || mayMissOthers || observation.lookups.hasGoneSongs
  }

  private mutating func listLost() {
    lost = examined.sorted().compactMap { observation.before.songs[$0] }.filter(isWithoutFile)
    let known = lost.flatMap { song in Lookups.goneKeys(of: song).map { (key: $0, id: song.id) } }
    lostByKey = Dictionary(grouping: known, by: \.key).mapValues { $0.map(\.id) }
  }

  /// All songs without a file that are known by the key.
  func songsWithoutFile(_ key: SongKey) -> [Song] {
    var songs = observation.goneSongs(key)
    songs += (lostByKey[key] ?? []).compactMap { observation.before.songs[$0] }
    // What was absent or offline before this scan.
    if mayMissOthers {
      songs += observation.knownSongs(key).filter { !examined.contains($0.id) }
    }
    return songs.filter(isWithoutFile)
  }

  func seniority(_ song: Song) -> Seniority { Seniority(song, in: observation.before) }

  /// Sorts songs by who is matched first.
  func bySeniority(_ songs: [Song]) -> [Song] {
    if songs.count < 2 { return songs }
    return songs.ascending(by: seniority)
  }

  // MARK: What comes of it

  private func result() -> Recognised {
    let (dropped, gone) = songsThatEnd()
    let waiting = lost.filter { song in
      isWithoutFile(song) && !dropped.contains(song.id) && isWaiting(song)
        && observation.vanished.contains(song.path)
    }
    var minting = Minting(observation: observation)
    let pieces = clusters.indices.ascending { clusters[$0].path }.map { place in
      let cluster = clusters[place]
      return Recognised.Piece(
        cluster: cluster, song: holders[place] ?? minting.mint(cluster),
        evidence: evidence[place], isNew: holders[place] == nil, inPlaceOf: inPlaceOf[place])
    }
    return Recognised(
      pieces: pieces, dropped: dropped, lost: gone, waiting: waiting.map(\.id))
  }

  /// Songs whose places are dropped, and songs that are gone from now on.
  private func songsThatEnd() -> (dropped: [SongID], gone: [SongID]) {
    var dropped = displaced
    var firstSeen: [AudioDigest: Int64] = [:]
    let files = SameFiles(lost.isEmpty ? [] : clusters, observation)
    for song in lost
    where isWithoutFile(song) && !isWaiting(song)
      && (wasNeverMissed(song, &firstSeen) || wasPutOver(song, files))
    {
      dropped.insert(song.id)
    }
    // The older song may have got that sound in this very look.
    let held = clusters.indices.compactMap { place in
      clusters[place].digest.flatMap { digest in holder(place).map { (digest, $0) } }
    }
    let oldest = Dictionary(held.ascending(by: \.1.seen)) { old, _ in old }
    for (digest, old) in oldest {
      for song in songsWithoutFile(.sound(digest))
      where !isWaiting(song) && !observation.isOffline(song)
        && observation.isYoungerAndUntouched(song, than: old)
      {
        dropped.insert(song.id)
      }
    }
    let gone = lost.filter { song in
      isWithoutFile(song) && !dropped.contains(song.id) && !song.isGone && !isWaiting(song)
        && !observation.before.away.covers(song.path)
    }
    return (dropped.sorted(), gone.map(\.id))
  }

  /// Whether an older song has the sound of one that nobody touched: a file that a tagger or a
  /// download had for a moment.
  ///
  /// - Parameter firstSeen: when a sound was seen first, as far as that was asked for.
  private func wasNeverMissed(_ song: Song, _ firstSeen: inout [AudioDigest: Int64]) -> Bool {
    guard let digest = song.digest, !observation.isTouched(song),
      !observation.before.away.covers(song.path)
    else { return false }
    if let first = firstSeen[digest] { return song.seen > first }
    let all = observation.songs(.sound(digest)) + observation.goneSongs(.sound(digest))
    let first = all.map(\.seen).min() ?? song.seen
    firstSeen[digest] = first
    return song.seen > first
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
