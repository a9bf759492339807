extension Merge {
  /// One cluster for each song that the found files, and those whose group changed, make.
  mutating func gatherClusters() {
    var digests: Set<AudioDigest> = []
    var alone: Set<BytePath> = []
    for path in changedFiles() {
      if let digest = digest(at: path) { digests.insert(digest) } else { alone.insert(path) }
    }
    var clusters = alone.compactMap { path in
      group(of: path).map {
        Cluster(group: $0, digest: nil, paths: [path], facts: facts(at: path))
      }
    }
    for digest in digests { clusters += self.clusters(of: digest) }
    for index in clusters.indices {
      clusters[index].isAway = clusters[index].paths.allSatisfy(before.away.covers)
    }
    self.clusters = clusters.sorted { $0.path < $1.path }
  }

  /// Files found, files whose group changed, and files left by a song that lost one.
  private func changedFiles() -> Set<BytePath> {
    var changed = Set(found.keys)
    for (path, group) in groups where isThere(path) {
      guard let song = song(at: path) else { continue }
      if song.group != group { changed.insert(path) }
    }
    for path in contents.turned where isThere(path) {
      changed.insert(path)
    }
    for path in Array(vanished) + Array(found.keys) {
      guard let song = song(at: path) else { continue }
      for other in lookups.files(of: song) where isThere(other) {
        changed.insert(other)
      }
    }
    return changed
  }

  func group(of path: BytePath) -> GroupKey? {
    groups[path] ?? song(at: path)?.group
  }

  private func digest(at path: BytePath) -> AudioDigest? {
    if let facts = facts(at: path) { return facts.digest }
    return song(at: path)?.digest
  }

  /// All songs with this sound, of the files that are there.
  private func clusters(of digest: AudioDigest) -> [Cluster] {
    var paths = Set(foundBySound[digest] ?? [])
    for song in lookups.songs(.sound(digest), in: before) {
      for path in lookups.files(of: song)
      where isThere(path) && self.digest(at: path) == digest {
        paths.insert(path)
      }
    }
    var clusters: [Cluster] = []
    let away = paths.filter(before.away.covers)
    for path in paths.subtracting(away).sorted() + away.sorted() {
      guard let group = group(of: path) else { continue }
      let facts = facts(at: path)
      let same = clusters.firstIndex { cluster in
        cluster.group == group
          && !cluster.paths.contains { isOtherTrack($0, path) }
      }
      if let same {
        clusters[same].paths.append(path)
      } else {
        clusters.append(Cluster(group: group, digest: digest, paths: [path], facts: facts))
      }
    }
    return clusters
  }

  /// The same sound under two track numbers of one folder is two songs: silence between tracks.
  private func isOtherTrack(_ left: BytePath, _ right: BytePath) -> Bool {
    guard lookups.albumFolder(of: left) == lookups.albumFolder(of: right) else { return false }
    let (a, b) = (tags(at: left), tags(at: right))
    return a.track != b.track || orderDisc(a.disc, left) != orderDisc(b.disc, right)
  }

  private func tags(at path: BytePath) -> Traits {
    if let facts = facts(at: path) { return Traits(facts, path: path) }
    return song(at: path)?.lasting ?? Traits()
  }
}
