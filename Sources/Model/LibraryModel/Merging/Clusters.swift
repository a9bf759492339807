/// Files with the same sound in the same group: one song. The third stage of a merge.
struct Cluster: Sendable {
  let group: GroupKey
  let digest: AudioDigest?
  /// Files that can be looked at, in byte order.
  fileprivate(set) var paths: [BytePath]
  /// Files that are offline, likewise.
  private(set) var offline: [BytePath] = []
  /// The one track that each album folder has of it.
  private var tracks: [AlbumFolder: Grouping.Slot?] = [:]

  init(group: GroupKey, digest: AudioDigest?) {
    self.group = group
    self.digest = digest
    paths = []
  }

  var path: BytePath { paths[0] }

  /// The same sound under two track numbers of one folder is two songs: silence between tracks.
  fileprivate func takes(_ slot: Grouping.Slot?, in folder: AlbumFolder) -> Bool {
    tracks[folder].map { $0 == slot } ?? true
  }

  fileprivate mutating func append(
    _ path: BytePath, _ slot: Grouping.Slot?, in folder: AlbumFolder, isOffline: Bool
  ) {
    if isOffline { offline.append(path) } else { paths.append(path) }
    tracks[folder] = .some(slot)
  }
}

/// Makes clusters of the files that are there.
struct Clusters: Sendable {
  let observation: Observation
  let groups: JudgedGroups

  /// The clusters that this scan can have changed: of the files that were found, of those whose
  /// group changed, and all that sound like one of them or like a file that is missing.
  func touched() -> [Cluster] {
    var digests: Set<AudioDigest> = []
    var silent: Set<BytePath> = []
    for path in changedFiles() {
      if let digest = observation.digest(at: path) {
        digests.insert(digest)
      } else {
        silent.insert(path)
      }
    }
    let missing = Array(observation.newlyMissing)
    for path in missing + observation.found.keys + observation.contents.turned {
      if let digest = observation.song(at: path)?.digest { digests.insert(digest) }
    }
    var clusters = silent.compactMap(cluster)
    for digest in digests { clusters += self.clusters(of: digest) }
    return clusters.ascending(by: \.path)
  }

  func group(of path: BytePath) -> GroupKey? {
    groups[path] ?? observation.song(at: path).map { observation.group(of: $0) }
  }

  /// Files found, files whose group changed, and files left by a song that lost one.
  private func changedFiles() -> Set<BytePath> {
    var changed = Set(observation.found.keys)
    for (path, group) in groups.groups where observation.isThere(path) {
      guard let song = observation.song(at: path) else { continue }
      if observation.group(of: song) != group { changed.insert(path) }
    }
    for path in observation.contents.turned where observation.isThere(path) {
      changed.insert(path)
    }
    for path in Array(observation.vanished) + Array(observation.found.keys) {
      guard let song = observation.song(at: path) else { continue }
      for other in observation.files(of: song) where observation.isThere(other) {
        changed.insert(other)
      }
    }
    return changed.filter { !observation.before.away.isOffline($0) }
  }

  /// The cluster of a file without a sound to compare: it is alone.
  func cluster(_ path: BytePath) -> Cluster? {
    group(of: path).map { group in
      var cluster = Cluster(group: group, digest: nil)
      cluster.paths = [path]
      return cluster
    }
  }

  /// All songs with this sound, of the files that are there.
  func clusters(of digest: AudioDigest) -> [Cluster] {
    var paths = Set(observation.foundBySound[digest] ?? [])
    for song in observation.songs(.sound(digest)) {
      for path in observation.files(of: song)
      where observation.isThere(path) && observation.digest(at: path) == digest {
        paths.insert(path)
      }
    }
    var clusters: [Cluster] = []
    var ofGroup: [GroupKey: [Int]] = [:]
    let offline = paths.filter(observation.before.away.isOffline)
    for path in paths.subtracting(offline).sorted() + offline.sorted() {
      guard let group = group(of: path) else { continue }
      let isOffline = offline.contains(path)
      let (slot, folder) = (slot(of: path), observation.albumFolder(of: path))
      var place = ofGroup[group]?.first { clusters[$0].takes(slot, in: folder) }
      if place == nil, !isOffline {
        place = clusters.count
        ofGroup[group, default: []].append(clusters.count)
        clusters.append(Cluster(group: group, digest: digest))
      }
      // A song whose files are all offline is left as it is.
      if let place { clusters[place].append(path, slot, in: folder, isOffline: isOffline) }
    }
    return clusters
  }

  /// A file's disc and track; files without a track number are alike in that.
  private func slot(of path: BytePath) -> Grouping.Slot? {
    let (disc, track): (Int?, Int?)
    if let facts = observation.facts(at: path) {
      (disc, track) = (facts.disc, facts.track)
    } else {
      let song = observation.song(at: path)
      (disc, track) = (song?.disc, song?.track)
    }
    return track.map { Grouping.Slot(disc: orderDisc(disc, path), track: $0) }
  }
}
