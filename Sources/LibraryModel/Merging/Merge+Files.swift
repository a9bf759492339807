extension Merge {
  /// Brings every recognised song to its file, and what the file says to the song.
  mutating func followFiles() {
    for path in vanished { outcome.files[path] = .some(nil) }
    for cluster in clusters {
      guard let id = cluster.song else { continue }
      outcome.songs.insert(id)
      for path in cluster.paths { outcome.files[path] = .some((id, facts(at: path))) }
      guard !cluster.isNew, let song = before.songs[id] else { continue }
      follow(song, to: cluster)
    }
  }

  private mutating func follow(_ song: Song, to cluster: Cluster) {
    outcome.albums.insert(song.album)
    // What is offline of a song that is elsewhere now is a stranger when it comes back.
    for path in lookups.files(of: song)
    where (missing.contains(path) || before.away.covers(path)) && outcome.files[path] == nil
      && !cluster.paths.contains(path)
    {
      outcome.files[path] = .some(nil)
    }
    if song.isGone {
      make(
        .songReturned(
          song.id, path: cluster.path, digest: cluster.digest, by: cluster.evidence))
    } else if song.path != cluster.path || song.digest != cluster.digest {
      make(
        .songFollowed(
          song.id, path: cluster.path, digest: cluster.digest, by: cluster.evidence))
    }
    // Asked of the song as it is by now: returning has taken away what it knew.
    if let facts = cluster.facts, outcome.decision.library.songs[song.id]?.facts != facts {
      outcome.decision.library.attach(facts, to: song.id)
    }
  }

  /// Songs that lost their file to nothing keep their place as gone ones.
  mutating func noteGone() {
    var candidates: Set<SongID> = []
    for path in Array(vanished) + Array(found.keys) + clusters.flatMap(\.paths) {
      if let song = song(at: path) { candidates.insert(song.id) }
    }
    for id in candidates.sorted() where !claimed.contains(id) {
      guard let song = before.songs[id], !song.isGone else { continue }
      // Another file of it is there, or may yet come.
      if lookups.files(of: song).contains(where: { stillHolds(song, at: $0) }) { continue }
      outcome.songs.insert(id)
      make(.songGone(id, song.lasting))
    }
  }

  private func stillHolds(_ song: Song, at path: BytePath) -> Bool {
    if case .some(.some(let file)) = outcome.files[path] { return file.song == song.id }
    return found[path] == nil && !vanished.contains(path)
  }
}
