/// Where a file vanishes and exactly one younger song of its album is the same music, that song's
/// file becomes the vanished one's, in its place: FLACs made beside the MP3s, which go later.
extension Merge {
  mutating func letYoungerGiveWay() {
    let lost = songsLosingTheirFiles()
    if lost.isEmpty { return }
    var clusterOf: [SongID: Int] = [:]
    for (index, cluster) in clusters.enumerated() where !cluster.isNew {
      if let song = cluster.song { clusterOf[song] = index }
    }
    for evidence in [Evidence.sound, .musicbrainz, .tags] {
      giveWay(to: lost, by: evidence, &clusterOf)
    }
  }

  /// The places of the younger songs, whose files are another's now.
  mutating func dropGivenWay() {
    for song in givenWay.compactMap({ outcome.decision.library.songs[$0] }) {
      outcome.songs.insert(song.id)
      outcome.albums.insert(song.album)
      outcome.decision.drop(song, by: .folder)
    }
  }

  /// What is compared: a song as it is after this merge.
  private struct Likeness {
    var group: GroupKey
    var path: BytePath
    var digest: AudioDigest?
    var traits: Traits

    func key(_ evidence: Evidence) -> SongKey? {
      switch evidence {
      case .sound: digest.map(SongKey.sound)
      case .musicbrainz: .recording(traits.recording, traits.release)
      default:
        .title(family: group.family, disc: orderDisc, track: traits.track, title: traits.title)
      }
    }

    var orderDisc: Int { LibraryModel.orderDisc(traits.disc, path) }
  }

  /// Songs that would be gone: no file of theirs is left, and none was recognised as theirs.
  private func songsLosingTheirFiles() -> [Song] {
    var candidates: Set<SongID> = []
    for path in Array(vanished) + Array(found.keys) {
      if let song = song(at: path), !claimed.contains(song.id) { candidates.insert(song.id) }
    }
    return candidates.sorted().compactMap { before.songs[$0] }.filter { song in
      !song.isGone
        && lookups.files(of: song).allSatisfy { vanished.contains($0) || found[$0] != nil }
    }
  }

  private mutating func giveWay(
    to lost: [Song], by evidence: Evidence, _ clusterOf: inout [SongID: Int]
  ) {
    var changed: [SongKey: [SongID]] = [:]
    for (id, index) in clusterOf {
      if let key = likeness(clusters[index]).key(evidence) { changed[key, default: []].append(id) }
    }
    var pairs: [(old: SongID, young: SongID)] = []
    for song in lost where !claimed.contains(song.id) {
      let old = Likeness(
        group: song.group, path: song.path, digest: song.digest, traits: song.lasting)
      guard let key = old.key(evidence) else { continue }
      for id in Set(lookups.songs(key, in: before).map(\.id) + (changed[key] ?? [])).sorted() {
        guard let young = before.songs[id], young.added > song.added, !young.isPlaced,
          let now = likenessNow(young, clusterOf), now.key(evidence) == key,
          isSame(old, now, evidence)
        else { continue }
        pairs.append((song.id, id))
      }
    }
    let byOld = Dictionary(grouping: pairs, by: \.old)
    let byYoung = Dictionary(grouping: pairs, by: \.young)
    for (old, id) in pairs where byOld[old]?.count == 1 && byYoung[id]?.count == 1 {
      guard let young = before.songs[id] else { continue }
      let index = clusterOf.removeValue(forKey: id) ?? addCluster(of: young)
      clusters[index].song = old
      clusters[index].evidence = evidence
      claimed.formUnion([old, id])
      givenWay.append(id)
    }
  }

  private func likeness(_ cluster: Cluster) -> Likeness {
    Likeness(
      group: cluster.group, path: cluster.path, digest: cluster.digest,
      traits: cluster.facts.map { Traits($0, path: cluster.path) } ?? Traits())
  }

  /// Nil where the song is not there, or has given way already.
  private func likenessNow(_ song: Song, _ clusterOf: [SongID: Int]) -> Likeness? {
    if let index = clusterOf[song.id] { return likeness(clusters[index]) }
    guard !claimed.contains(song.id), !song.isGone, !before.away.covers(song.path),
      found[song.path] == nil, !missing.contains(song.path)
    else { return nil }
    return Likeness(
      group: song.group, path: song.path, digest: song.digest, traits: song.lasting)
  }

  private func isSame(_ old: Likeness, _ young: Likeness, _ evidence: Evidence) -> Bool {
    guard old.group == young.group else { return false }
    let (a, b) = (old.traits, young.traits)
    let isSameTrack = old.orderDisc == young.orderDisc && a.track == b.track
    switch evidence {
    case .sound:
      // Two tracks of silence in one folder are two songs.
      return isSameTrack
        || lookups.albumFolder(of: old.path) != lookups.albumFolder(of: young.path)
    case .musicbrainz: return true
    default:
      return isSameTrack && folded(a.title) == folded(b.title)
        && abs(a.milliseconds - b.milliseconds) <= Merge.sameLength
    }
  }

  private mutating func addCluster(of song: Song) -> Int {
    clusters.append(
      Cluster(
        group: song.group, digest: song.digest, paths: lookups.files(of: song), facts: song.facts,
        song: song.id))
    return clusters.count - 1
  }
}
