/// The files with the same sound in the same group, which are one song.
struct Cluster: Sendable {
  let group: GroupKey
  let digest: AudioDigest?
  /// Whether the scan may have changed which song it is: one of its files was found, changed its
  /// group, or sounds like a file that was found or is missing.
  let isNews: Bool
  /// Its accessible files, in byte order.
  fileprivate(set) var paths: [BytePath]
  /// Its offline files, in byte order.
  fileprivate(set) var offline: [BytePath] = []
  /// The songs that have this sound at their own paths. If `isNews`, gone ones are included.
  fileprivate(set) var owners: [Song] = []

  var path: BytePath { paths[0] }
}

/// Makes clusters of the files that exist.
struct ClusterMaking: Sendable {
  let observation: Observation
  let groups: JudgedGroups

  func group(of path: BytePath) -> GroupKey? {
    groups[path] ?? observation.song(at: path).map { observation.group(of: $0) }
  }

  /// Returns the found files, files whose group has changed, and the other files of songs that lost
  /// one.
  func changedFiles() -> Set<BytePath> {
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

  /// Returns the cluster of a file without a digest, which contains no other file.
  func cluster(_ path: BytePath, isNews: Bool) -> Cluster? {
    group(of: path).map { group in
      var cluster = Cluster(group: group, digest: nil, isNews: isNews, paths: [path])
      cluster.owners = owners(of: cluster)
      return cluster
    }
  }

  /// Returns all clusters of a sound, with the files that exist.
  ///
  /// - Parameter songs: the songs with known files that have the sound.
  func clusters(of digest: AudioDigest, _ songs: [Song], isNews: Bool) -> [Cluster] {
    var paths = Set(observation.foundBySound[digest] ?? [])
    for song in songs {
      for path in observation.files(of: song)
      where observation.isThere(path) && observation.digest(at: path) == digest {
        paths.insert(path)
      }
    }
    var clusters: [Cluster] = []
    var ofGroup: [GroupKey: [Int]] = [:]
    // The disc and track that each album folder has in a cluster. The same sound under two track
    // numbers of one folder is two songs, such as silence between tracks.
    var tracks: [[AlbumFolder: Grouping.Slot?]] = []
    let offline = paths.filter(observation.before.away.isOffline)
    for path in paths.subtracting(offline).sorted() + offline.sorted() {
      guard let group = group(of: path) else { continue }
      let isOffline = offline.contains(path)
      let (slot, folder) = (slot(of: path), observation.albumFolder(of: path))
      var place = ofGroup[group]?.first { tracks[$0][folder].map { $0 == slot } ?? true }
      if place == nil, !isOffline {
        place = clusters.count
        ofGroup[group, default: []].append(clusters.count)
        clusters.append(Cluster(group: group, digest: digest, isNews: isNews, paths: []))
        tracks.append([:])
      }
      // A song whose files are all offline is left unchanged.
      guard let place else { continue }
      tracks[place][folder] = .some(slot)
      if isOffline {
        clusters[place].offline.append(path)
      } else {
        clusters[place].paths.append(path)
      }
    }
    for place in clusters.indices { clusters[place].owners = owners(of: clusters[place]) }
    return clusters
  }

  private func owners(of cluster: Cluster) -> [Song] {
    cluster.paths.flatMap { path -> [Song] in
      var songs: [Song] = []
      if let song = observation.song(at: path), song.path == path,
        observation.found[path] == nil || (song.digest != nil && song.digest == cluster.digest)
      {
        songs.append(song)
      }
      guard let digest = cluster.digest, cluster.isNews else { return songs }
      return songs
        + observation.goneSongs(.stem(path.withoutExtension)).filter {
          $0.path == path && $0.digest == digest
        }
    }
  }

  /// Returns a file's disc and track. Files without a track number count as equal.
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
