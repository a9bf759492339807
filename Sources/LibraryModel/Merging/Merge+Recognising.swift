extension Merge {
  /// Finds the song of each cluster, by the evidence of specification 1.4 in its order. A step
  /// counts only where it is unambiguous: one file, one song.
  mutating func recognise() {
    judgeGroups()
    gatherClusters()
    recogniseUnread()
    match(.sound) { merge, cluster in merge.songsBySound(cluster) }
    match(.path) { merge, cluster in merge.songsByPath(cluster) }
    match(.rename) { merge, cluster in merge.songsByRename(cluster) }
    match(.inode) { merge, cluster in merge.songsByInode(cluster) }
    match(.musicbrainz) { merge, cluster in merge.songsByRecording(cluster) }
    match(.tags) { merge, cluster in merge.songsByTags(cluster) }
    keepWhatIsAway()
    mintNew()
  }

  /// A file that is away is its song's for as long as that is not found elsewhere.
  private mutating func keepWhatIsAway() {
    for index in clusters.indices where clusters[index].isAway {
      let songs = clusters[index].paths.compactMap { song(at: $0)?.id }
      guard let song = songs.first(where: { !claimed.contains($0) }) else { continue }
      clusters[index].song = song
      clusters[index].evidence = .duplicate
      claimed.insert(song)
    }
    clusters.removeAll { $0.isAway && $0.song == nil }
  }

  /// Files that were not found anew are the song they were; only their group changed.
  private mutating func recogniseUnread() {
    for index in clusters.indices where !clusters[index].isAway {
      let known = clusters[index].paths.filter { found[$0] == nil }
      let songs = known.compactMap { song(at: $0)?.id }
      guard let song = songs.first(where: { !claimed.contains($0) }) else { continue }
      clusters[index].song = song
      clusters[index].evidence = .duplicate
      claimed.insert(song)
    }
  }

  private mutating func match(
    _ evidence: Evidence, _ candidates: (Merge, Cluster) -> [(song: SongID, score: Int)]
  ) {
    var pairs: [(cluster: Int, song: SongID, score: Int)] = []
    for index in clusters.indices where clusters[index].song == nil && !clusters[index].isAway {
      for (song, score) in candidates(self, clusters[index]) where !claimed.contains(song) {
        pairs.append((index, song, score))
      }
    }
    // The best fitting pairs first; a pair counts if neither side has another one as good.
    for score in Set(pairs.map(\.score)).sorted(by: >) {
      let level = pairs.filter {
        $0.score == score && clusters[$0.cluster].song == nil && !claimed.contains($0.song)
      }
      let byCluster = Dictionary(grouping: level, by: \.cluster)
      let bySong = Dictionary(grouping: level, by: \.song)
      for pair in level where byCluster[pair.cluster]?.count == 1 && bySong[pair.song]?.count == 1 {
        clusters[pair.cluster].song = pair.song
        clusters[pair.cluster].evidence = evidence
        claimed.insert(pair.song)
      }
    }
  }

  private mutating func mintNew() {
    var minted: Set<UInt64> = []
    for index in clusters.indices where clusters[index].song == nil {
      let cluster = clusters[index]
      var words = Array("song\t".utf8)
      if let digest = cluster.digest {
        for half in [digest.high, digest.low] {
          words += stride(from: 56, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: half >> $0)
          }
        }
      } else {
        let folder = lookups.root(of: cluster.path)
        words += (cluster.path.relative(to: folder) ?? cluster.path).bytes
      }
      words += Array("\t\(cluster.group.minted)".utf8)
      let number = IdentifierText.mint(words) { number in
        minted.contains(number) || before.songs[SongID(number: number)] != nil
      }
      minted.insert(number)
      clusters[index].song = SongID(number: number)
      clusters[index].isNew = true
    }
  }

  /// Absent files whose song was recognised elsewhere: nobody waits for those any longer, and their
  /// folders have to be judged without them.
  func filesLeftBehind() -> Set<BytePath> {
    var left: Set<BytePath> = []
    for cluster in clusters where !cluster.isNew {
      guard let song = cluster.song.flatMap({ before.songs[$0] }) else { continue }
      left.formUnion(
        lookups.files(of: song).filter { missing.contains($0) && !vanished.contains($0) })
    }
    return left
  }

  /// Whether the song's file isn't there with the song's sound: gone, offline, vanished, or another
  /// sound now at its path.
  func isAway(_ song: Song) -> Bool {
    if song.isGone || before.away.covers(song.path) { return true }
    return lookups.files(of: song).allSatisfy { path in
      if let facts = found[path] { return facts.digest != song.digest || song.digest == nil }
      return missing.contains(path)
    }
  }

  // MARK: The steps

  private func songsBySound(_ cluster: Cluster) -> [(song: SongID, score: Int)] {
    guard let digest = cluster.digest else { return [] }
    let here = Set(cluster.paths.compactMap { song(at: $0)?.id })
    return lookups.songs(.sound(digest), in: before).compactMap { song in
      let isHere = here.contains(song.id)
      guard isHere || isAway(song) else { return nil }
      var score = 0
      if song.group == cluster.group { score += 8 }
      if song.track == cluster.facts?.track, song.orderDisc == cluster.orderDisc {
        score += 4
      }
      if cluster.paths.contains(where: { $0.name == song.path.name }) { score += 2 }
      return (song.id, score + (isHere ? 1 : 0))
    }
  }

  private func songsByPath(_ cluster: Cluster) -> [(song: SongID, score: Int)] {
    cluster.paths.compactMap { path in
      guard let song = song(at: path) else { return nil }
      let isSame =
        song.group == cluster.group && song.track == cluster.facts?.track
        && song.orderDisc == cluster.orderDisc
      let title = shownTitle(cluster.facts?.title ?? "", path: path)
      // Facts that were lost with the index say nothing against the song at its own path.
      let isUnknown = song.facts == nil && song.traits == nil
      return isUnknown || isSame || folded(title) == folded(song.title) ? (song.id, 0) : nil
    }
  }

  private func songsByRename(_ cluster: Cluster) -> [(song: SongID, score: Int)] {
    cluster.paths.flatMap { renamed[$0] ?? [] }.compactMap(awaySong)
  }

  private func songsByInode(_ cluster: Cluster) -> [(song: SongID, score: Int)] {
    cluster.paths.flatMap { path -> [(song: SongID, score: Int)] in
      guard let identity = found[path]?.stamp.identity, identity.birth != 0 else { return [] }
      return lookups.paths(of: identity, in: before).compactMap(awaySong)
    }
  }

  private func awaySong(at path: BytePath) -> (song: SongID, score: Int)? {
    guard let song = song(at: path), isAway(song) else { return nil }
    return (song.id, 0)
  }

  private func songsByRecording(_ cluster: Cluster) -> [(song: SongID, score: Int)] {
    guard let facts = cluster.facts,
      let key = SongKey.recording(facts.recording, facts.release)
    else { return [] }
    return lookups.songs(key, in: before).filter(isAway).map { ($0.id, 0) }
  }

  private func songsByTags(_ cluster: Cluster) -> [(song: SongID, score: Int)] {
    guard let facts = cluster.facts else { return [] }
    let title = shownTitle(facts.title, path: cluster.path)
    let key = SongKey.title(
      family: cluster.group.family, disc: cluster.orderDisc, track: facts.track, title: title)
    return lookups.songs(key, in: before).filter(isAway).compactMap { song in
      guard abs(song.milliseconds - facts.milliseconds) <= Merge.sameLength else { return nil }
      return (song.id, song.group == cluster.group ? 1 : 0)
    }
  }
}
