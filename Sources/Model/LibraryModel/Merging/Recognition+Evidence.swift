/// The steps that go by place, file, MusicBrainz ids and tags.
extension Recognition {
  /// The most songs or files with the same key that are compared; of more, none is recognised.
  static let mostAlike = 64

  private typealias Pair = (song: Song, place: Int)

  // MARK: Step 1

  /// The song's place made anew: re-ripped, repaired, converted.
  mutating func matchRemade() {
    var stems: [AlbumFolder: [BytePath: [SongID]]] = [:]
    for song in lost where !isWaiting(song) { reachNeighbours(of: song, &stems) }
    var pairs = pairsByPlace().filter { fits(.remade, $0.song, $0.place) }
    if pairs.isEmpty { return }
    let songs = bySeniority(pairs.map(\.song)).enumerated()
    let rank = Dictionary(songs.map { ($0.element.id, $0.offset) }) { first, _ in first }
    // A song's own path before that but for the extension.
    func order(_ pair: Pair) -> (Int, Int, BytePath) {
      let cluster = clusters[pair.place]
      let isOwn = cluster.paths.contains(pair.song.path)
      return (rank[pair.song.id] ?? .max, isOwn ? 0 : 1, cluster.path)
    }
    pairs.sort { order($0) < order($1) }
    for (song, place) in pairs where isWithoutFile(song) {
      let isOpen = holder(place).map {
        !isWaiting(song) && observation.isYoungerAndUntouched($0, than: song)
      }
      if isOpen ?? (holders[place] == nil) { give(song.id, place, by: .path) }
    }
  }

  /// Gathers the clusters of younger songs whose path is the song's but for the extension.
  ///
  /// - Parameter stems: the songs of each folder by their paths without extensions, as far as they
  ///   were asked for.
  private mutating func reachNeighbours(
    of song: Song, _ stems: inout [AlbumFolder: [BytePath: [SongID]]]
  ) {
    let folder = observation.albumFolder(of: song.path)
    if stems[folder] == nil {
      var songs: [BytePath: [SongID]] = [:]
      for (path, young) in observation.lookups.files(in: folder, observation.before)
      where !examined.contains(young.id) {
        songs[path.withoutExtension, default: []].append(young.id)
      }
      stems[folder] = songs
    }
    for id in stems[folder]?[song.path.withoutExtension] ?? [] {
      if let young = observation.before.songs[id] { reach(young, for: song) }
    }
  }

  private mutating func reach(_ young: Song, for song: Song) {
    if observation.isYoungerAndUntouched(young, than: song), isUnconcerned(young) {
      _ = cluster(of: young)
    }
  }

  /// Songs without a file and clusters at the same path but for the extension.
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
    let heirs = heirs()
    // The song's own name goes first of several of one file.
    let sameFile = pairsByFile()
    match(.sameFile, sameFile.filter { clusters[$0.place].paths.contains($0.song.path) }, heirs)
    match(.sameFile, sameFile, heirs)
    var crowded: Set<SongKey> = []
    for song in lost where isWithoutFile(song) && !isWaiting(song) {
      reachAlike(song, heirs[song.album], &crowded)
    }
    match(.musicbrainz, pairsByRecording(), heirs)
    match(.tags, pairsByTags(heirs), heirs)
    match(.path, pairsByPlace(), heirs)
  }

  /// Gathers the clusters of younger songs that have the song's ids or tags.
  ///
  /// - Parameter crowded: keys of more songs than can be told apart.
  private mutating func reachAlike(
    _ song: Song, _ heir: GroupKey?, _ crowded: inout Set<SongKey>
  ) {
    let families = [observation.group(of: song).family, heir?.family].compactMap { $0 }
    var keys = families.map { family in
      SongKey.title(family: family, disc: song.orderDisc, track: song.track, title: song.title)
    }
    if let key = SongKey.recording(song.recording, song.release) { keys.append(key) }
    for key in keys where !crowded.contains(key) {
      let songs = observation.songs(key)
      if songs.count > Self.mostAlike {
        crowded.insert(key)
      } else {
        for young in songs { reach(young, for: song) }
      }
    }
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

  private func pairsByRecording() -> [Pair] {
    var known: [SongKey: [Song]] = [:]
    return clusters.indices.flatMap { place in
      pairs(place, &known) { SongKey.recording($0.recording, $0.release) }
    }
  }

  private func pairsByTags(_ heirs: [AlbumID: GroupKey]) -> [Pair] {
    var places: [SongKey: [Int]] = [:]
    var known: [SongKey: [Song]] = [:]
    var found: [Pair] = []
    for place in clusters.indices {
      let cluster = clusters[place]
      found += pairs(place, &known) { key(of: $0, in: cluster.group.family) }
      if heirs.isEmpty { continue }
      for path in cluster.paths {
        let likeness = likeness(path, cluster)
        places[key(of: likeness, in: cluster.group.family), default: []].append(place)
      }
    }
    for (album, heir) in heirs.ascending(by: \.key) {
      guard let album = observation.before.albums[album] else { continue }
      let songs = Dictionary(
        grouping: observation.before.songs(of: album).filter(isWithoutFile)
      ) { key(of: Likeness($0, group: observation.group(of: $0)), in: heir.family) }
      for (key, songs) in songs where songs.count <= Self.mostAlike {
        guard let places = places[key], places.count <= Self.mostAlike else { continue }
        for song in songs { found += places.map { (song, $0) } }
      }
    }
    return found
  }

  /// - Parameter known: the songs of each key, as far as they were asked for: many files may have
  ///   one. Those that can't be told apart are none.
  private func pairs(
    _ place: Int, _ known: inout [SongKey: [Song]], by key: (Likeness) -> SongKey?
  ) -> [Pair] {
    let cluster = clusters[place]
    if let young = holder(place), observation.isTouched(young) { return [] }
    let keys = Set(cluster.paths.compactMap { key(likeness($0, cluster)) })
    return keys.flatMap { key -> [Pair] in
      let songs = known[key] ?? songsWithoutFile(key)
      let few = songs.count > Self.mostAlike ? [] : songs
      known[key] = few
      return few.map { ($0, place) }
    }
  }

  private func key(of likeness: Likeness, in family: String) -> SongKey {
    .title(
      family: family, disc: likeness.orderDisc, track: likeness.track,
      title: shownTitle(likeness.title, path: likeness.path))
  }

  private func likeness(_ path: BytePath, _ cluster: Cluster) -> Likeness {
    Likeness(path, observation.facts(at: path), group: cluster.group, digest: cluster.digest)
  }

  /// The group that most present songs of an album have, for each album that songs leave in this
  /// merge. An album whose own group has most is left out.
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
        } else if isUnconcerned(song) {
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

  /// Gives clusters to songs that have nothing else at this step, as the clusters have not.
  private mutating func match(_ step: Step, _ pairs: [Pair], _ heirs: [AlbumID: GroupKey]) {
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
      let bySong = Dictionary(grouping: left, by: \.song.id)
      var byPlace = Dictionary(grouping: left, by: \.place).mapValues { $0.map(\.song) }
      for (place, songs) in byPlace { byPlace[place] = rivals(songs, for: place, step) }
      let sure = left.filter { song, place in
        bySong[song.id]?.count == 1 && byPlace[place]?.map(\.id) == [song.id]
      }
      for (song, place) in sure { give(song.id, place, by: evidence(step, song, place)) }
      if sure.isEmpty { return }
    }
  }

  /// Of songs that one file fits, those that none of the others makes superfluous: what a tool had
  /// for a moment leaves a gone song behind, which must not keep the file from the one it was; nor
  /// must what had the path before the song that had it until this scan.
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
    // What is offline is found elsewhere as the very same file alone, or by its sound.
    if observation.isOffline(song), step != .sameFile { return false }
    let own = Likeness(song, group: observation.group(of: song))
    let isSame = step == .sameFile && isSameFile(song, cluster)
    return cluster.paths.contains { path in
      likeness(path, cluster).fits(
        step, own, isSameFile: isSame, heir: heir,
        hasSoundToItself: hasToItself(cluster.digest, beside: song))
    }
  }

  /// Whether no song has the sound but younger, untouched ones.
  private func hasToItself(_ digest: AudioDigest?, beside song: Song) -> Bool {
    guard let digest else { return true }
    let others = observation.songs(.sound(digest)) + observation.goneSongs(.sound(digest))
    return others.allSatisfy { observation.isYoungerAndUntouched($0, than: song) }
  }
}
