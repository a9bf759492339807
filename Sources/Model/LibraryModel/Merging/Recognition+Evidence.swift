/// The steps that use place, file identity, MusicBrainz ids and tags.
extension Recognition {
  private typealias Pair = (song: Song, place: Int)

  // MARK: Step 1

  /// Matches songs whose file was recreated at its place: re-ripped, repaired, converted.
  mutating func matchRemade() {
    var pairs = pairsByPlace().filter { song, place in
      isLookedFor(song, in: place) && fits(.remade, song, place)
    }
    if pairs.isEmpty { return }
    let songs = bySeniority(pairs.map(\.song)).enumerated()
    let rank = Dictionary(songs.map { ($0.element.id, $0.offset) }) { first, _ in first }
    // A song's exact path comes before one with another extension.
    func order(_ pair: Pair) -> (Int, Int, Int) {
      let isOwn = clusters[pair.place].paths.contains(pair.song.path)
      return (rank[pair.song.id] ?? .max, isOwn ? 0 : 1, pair.place)
    }
    pairs.sort { order($0) < order($1) }
    for (song, place) in pairs where isWithoutFile(song) {
      let isOpen = holder(place).map {
        !observation.isWaiting(song) && observation.isYoungerAndUntouched($0, than: song)
      }
      if isOpen ?? (holders[place] == nil) { give(song.id, place, by: .path) }
    }
  }

  /// Returns songs without a file and clusters whose paths are equal without the extension.
  private func pairsByPlace() -> [Pair] {
    clusters.indices.flatMap { place in
      var songs: [SongID: Song] = [:]
      for path in clusters[place].paths {
        if let song = observation.song(at: path), isWithoutFile(song) { songs[song.id] = song }
        for song in songsWithoutFile(.stem(path.withoutExtension)) { songs[song.id] = song }
      }
      return songs.values.map { ($0, place) }
    }
  }

  // MARK: Steps 3 to 6

  mutating func matchTheRest() {
    // Most moved songs are found by their sounds.
    if !around.hasOthers && !around.missed.contains(where: isWithoutFile) { return }
    // Of several names of one file, the song's own comes first.
    let sameFile = pairsByFile()
    match(.sameFile, sameFile.filter { clusters[$0.place].paths.contains($0.song.path) })
    match(.sameFile, sameFile)
    match(.musicbrainz, pairs(by: around.recordings))
    let heirs = heirs()
    match(.tags, pairsByTags(heirs), heirs)
    match(.path, pairsByPlace())
  }

  private func pairsByFile() -> [Pair] {
    clusters.indices.flatMap { place -> [Pair] in
      if holders[place] != nil { return [] }
      var songs: [SongID: Song] = [:]
      for path in clusters[place].paths {
        for from in observation.renamed[path] ?? [] {
          if let song = observation.song(at: from) { songs[song.id] = song }
        }
        guard let identity = observation.found[path]?.stamp.identity, identity.tellsFile
        else { continue }
        for song in observation.songs(.identity(identity)) { songs[song.id] = song }
      }
      return songs.values.filter(isWithoutFile).map { ($0, place) }
    }
  }

  private func pairsByTags(_ heirs: [AlbumID: GroupKey]) -> [Pair] {
    var found = pairs(by: around.titles)
    if heirs.isEmpty { return found }
    let places = places(by: around.titles)
    for (album, heir) in heirs.ascending(by: \.key) {
      guard let album = observation.before.albums[album] else { continue }
      let songs = Dictionary(
        grouping: observation.before.songs(of: album).filter(isWithoutFile)
      ) { around.titleKey(Likeness($0, group: observation.group(of: $0)), in: heir.family) }
      for (key, songs) in songs where songs.count <= Neighbourhood.mostAlike {
        guard let places = places[key], places.count <= Neighbourhood.mostAlike else { continue }
        for song in songs { found += places.map { (song, $0) } }
      }
    }
    return found
  }

  /// Returns songs without a file, each with the clusters that have its key. Ambiguous keys are
  /// ignored.
  private func pairs(by keys: [Set<SongKey>]) -> [Pair] {
    places(by: keys).flatMap { key, places -> [Pair] in
      let songs = songsWithoutFile(key)
      if songs.isEmpty || songs.count > Neighbourhood.mostAlike { return [] }
      let open = places.filter { holder($0).map { !observation.isTouched($0) } ?? true }
      return songs.flatMap { song in open.map { (song, $0) } }
    }
  }

  private func places(by keys: [Set<SongKey>]) -> [SongKey: [Int]] {
    var places: [SongKey: [Int]] = [:]
    for (place, keys) in keys.enumerated() {
      for key in keys { places[key, default: []].append(place) }
    }
    return places
  }

  /// Returns the group that most present songs of an album have, for each album that songs leave in
  /// this merge. Albums whose own group has most are omitted.
  private func heirs() -> [AlbumID: GroupKey] {
    var albums: Set<AlbumID> = []
    for (id, place) in clusterOf {
      guard let song = observation.before.songs[id] else { continue }
      if clusters[place].group != observation.group(of: song) { albums.insert(song.album) }
    }
    var heirs: [AlbumID: GroupKey] = [:]
    for album in albums.compactMap({ observation.before.albums[$0] }) {
      var counts: [GroupKey: Int] = [:]
      for song in observation.before.songs(of: album) {
        if let place = clusterOf[song.id] {
          counts[clusters[place].group, default: 0] += 1
        } else if around.isUnconcerned(song) {
          counts[album.group, default: 0] += 1
        }
      }
      let most = counts.max {
        ($0.value, $1.key.description) < ($1.value, $0.key.description)
      }
      if let most, most.key != album.group { heirs[album.id] = most.key }
    }
    return heirs
  }

  // MARK: One file for one song

  /// Matches songs and clusters that have no other candidate at this step.
  ///
  /// - Parameter heirs: groups that count as those of an album's songs besides its own.
  private mutating func match(
    _ step: Step, _ pairs: [Pair], _ heirs: [AlbumID: GroupKey] = [:]
  ) {
    var left: [Pair] = []
    var known: Set<PairKey> = []
    for pair in pairs where known.insert(PairKey(song: pair.song.id, place: pair.place)).inserted {
      if fits(step, pair.song, pair.place, heir: heirs[pair.song.album]) { left.append(pair) }
    }
    while !left.isEmpty {
      left = left.filter { song, place in
        guard isWithoutFile(song) else { return false }
        if step == .sameFile { return holders[place] == nil }
        return mayTake(song, place, heir: heirs[song.album])
      }
      // A gone song competes for a cluster that the scan did not change only if a missing song
      // does.
      let asked = Set(left.lazy.filter { !$0.song.isGone }.map(\.place))
      let open = left.filter { isLookedFor($0.song, in: $0.place) || asked.contains($0.place) }
      let bySong = Dictionary(grouping: open, by: \.song.id)
      var byPlace = Dictionary(grouping: open, by: \.place).mapValues { $0.map(\.song) }
      for (place, songs) in byPlace { byPlace[place] = rivals(songs, for: place, step) }
      let sure = open.filter { song, place in
        bySong[song.id]?.count == 1 && byPlace[place]?.map(\.id) == [song.id]
      }
      for (song, place) in sure { give(song.id, place, by: evidence(step, song, place)) }
      if sure.isEmpty { return }
    }
  }

  /// Returns the songs that one file fits, without those that another one makes superfluous. A file
  /// that a tool created for a moment may have left a gone song behind, which must not compete with
  /// the original one. Neither must a gone song that had the path before the song that had it until
  /// this scan.
  private func rivals(_ songs: [Song], for place: Int, _ step: Step) -> [Song] {
    if step == .sameFile || songs.count < 2 { return songs }
    let eldest = songs.filter { song in
      !songs.contains { observation.isYoungerAndUntouched(song, than: $0) }
    }
    let paths = clusters[place].paths
    let isReplaced = step == .path && eldest.contains { !$0.isGone && paths.contains($0.path) }
    return isReplaced ? eldest.filter { !$0.isGone } : eldest
  }

  private struct PairKey: Hashable {
    let song: SongID
    let place: Int
  }

  private func evidence(_ step: Step, _ song: Song, _ place: Int) -> Evidence {
    switch step {
    case .remade, .path: .path
    case .sound: .sound
    case .sameFile: isRenamed(song, to: clusters[place]) ? .rename : .inode
    case .musicbrainz: .musicbrainz
    case .tags: .tags
    }
  }

  private func isRenamed(_ song: Song, to cluster: Cluster) -> Bool {
    cluster.paths.contains { path in
      (observation.renamed[path] ?? []).contains { observation.song(at: $0)?.id == song.id }
    }
  }

  /// Whether the cluster is the song by the step's evidence.
  private func fits(_ step: Step, _ song: Song, _ place: Int, heir: GroupKey? = nil) -> Bool {
    let cluster = clusters[place]
    // An offline song is found elsewhere only by file identity or by its sound.
    if observation.isOffline(song), step != .sameFile { return false }
    let own = Likeness(song, group: observation.group(of: song))
    let isSame = step == .sameFile && isSameFile(song, cluster)
    return cluster.paths.contains { path in
      around.likeness(path, cluster).fits(
        step, own, isSameFile: isSame, heir: heir,
        hasSoundToItself: hasToItself(cluster.digest, beside: song))
    }
  }

  /// Whether no other song has the sound, except younger, untouched ones.
  private func hasToItself(_ digest: AudioDigest?, beside song: Song) -> Bool {
    guard let digest else { return true }
    return (around.songs[digest] ?? []).allSatisfy {
      observation.isYoungerAndUntouched($0, than: song)
    }
  }
}
