/// Everything that may matter for the songs of a scan: the third stage of a merge. It queries the
/// indexes once, before any song is recognised. The steps of recognition use nothing else.
///
/// There are two rings of clusters. The first contains what the scan changed: files that were
/// found, went missing or changed their group, and everything that sounds like one of them. The
/// second contains unchanged files that songs without a file may take over from younger songs: by
/// place, tags or ids, or because an album was moved by copying it first.
final class Neighbourhood {
  /// The most songs or files with the same key that are compared. If there are more, none is
  /// recognised.
  static let mostAlike = 64

  let observation: Observation
  /// The clusters in byte order of their paths.
  private(set) var clusters: [Cluster] = []
  /// The indices of the clusters of each sound.
  private(set) var places: [AudioDigest: [Int]] = [:]
  /// All songs of each sound that a cluster has, gone ones last.
  private(set) var songs: [AudioDigest: [Song]] = [:]
  /// The time at which a song of each of these sounds was first seen.
  private(set) var firstSeen: [AudioDigest: Int64] = [:]
  /// The songs whose files are all in clusters, or missing.
  private(set) var examined: Set<SongID> = []
  /// The examined songs that may be without a file, by id.
  private(set) var missed: [Song] = []
  /// Albums of which a song was examined, or that have a copy of a missed song.
  private(set) var stirred: Set<AlbumID> = []
  /// The songs that may be without a file, by the keys that they are searched for by.
  private var missedByKey: [SongKey: [Song]] = [:]
  private let making: ClusterMaking
  private let certain: Set<SongID>
  /// Whether songs that this scan did not change may be without a file: absent or offline ones.
  private let mayMissOthers: Bool

  /// - Parameter certain: songs that are assumed to be found by their sounds, unless at their own
  ///   place. Other candidates for them are not searched for.
  init(_ observation: Observation, _ groups: JudgedGroups, finding certain: Set<SongID>) {
    self.observation = observation
    self.certain = certain
    making = ClusterMaking(observation: observation, groups: groups)
    mayMissOthers =
      !observation.before.away.places.isEmpty || observation.lookups.hasFilesOutside
      || !observation.absent.isEmpty
    gatherNews()
    listMissed()
    // Most scans find new files in a library that misses none.
    if mayHaveSongsWithoutFile {
      gatherYounger()
      listMissed()
      firstSeen = songs.compactMapValues { $0.lazy.map(\.seen).min() }
    }
    clusters = clusters.ascending(by: \.path)
    for (place, cluster) in clusters.enumerated() {
      if let digest = cluster.digest { places[digest, default: []].append(place) }
    }
    askForMissed()
  }

  /// Whether any song can be without a file.
  var mayHaveSongsWithoutFile: Bool { !missed.isEmpty || hasOthers }

  /// Whether there are songs without a file that this scan did not change.
  var hasOthers: Bool { mayMissOthers || observation.lookups.hasGoneSongs }

  /// Returns the songs that may be without a file and match the key.
  func missed(_ key: SongKey) -> [Song] { missedByKey[key] ?? [] }

  /// The keys of each cluster's files. Computed on first use, since most scans never need them.
  private(set) lazy var titles: [Set<SongKey>] = clusters.map { cluster in
    Set(cluster.paths.map { titleKey(likeness($0, cluster), in: cluster.group.family) })
  }
  private(set) lazy var recordings: [Set<SongKey>] = clusters.map { cluster in
    Set(
      cluster.paths.compactMap { path in
        observation.facts(at: path).flatMap { SongKey.recording($0.recording, $0.release) }
      })
  }

  /// Returns the title key of a file, or of a song as if it were in that family.
  func titleKey(_ likeness: Likeness, in family: String) -> SongKey {
    .title(
      family: family, disc: likeness.orderDisc, track: likeness.track,
      title: shownTitle(likeness.title, path: likeness.path))
  }

  func likeness(_ path: BytePath, _ cluster: Cluster) -> Likeness {
    Likeness(path, observation.facts(at: path), group: cluster.group, digest: cluster.digest)
  }

  /// Whether the song has an unchanged file that is in no cluster.
  func isUnconcerned(_ song: Song) -> Bool {
    !song.isGone && !examined.contains(song.id)
      && observation.files(of: song).contains { path in
        observation.isThere(path) && !observation.before.away.isOffline(path)
      }
  }

  // MARK: The first ring

  private func gatherNews() {
    let left = observation.contents.turned.filter { !observation.isThere($0) }
    let missing = Array(observation.newlyMissing)
    var digests: Set<AudioDigest> = []
    var silent: Set<BytePath> = []
    for path in making.changedFiles() {
      if let digest = observation.digest(at: path) {
        digests.insert(digest)
      } else {
        silent.insert(path)
      }
    }
    for path in missing + observation.found.keys + observation.contents.turned {
      if let digest = observation.song(at: path)?.digest { digests.insert(digest) }
    }
    for path in missing + observation.found.keys + left {
      if let song = observation.song(at: path) { examined.insert(song.id) }
    }
    gather(digests, silent, isNews: true)
  }

  private func gather(
    _ digests: Set<AudioDigest>, _ silent: Set<BytePath>, isNews: Bool
  ) {
    let first = clusters.count
    for digest in digests where songs[digest] == nil {
      let known =
        observation.songsOfFound[digest]
        ?? (
          present: observation.songs(.sound(digest)), gone: observation.goneSongs(.sound(digest))
        )
      songs[digest] = known.present + known.gone
      clusters += making.clusters(of: digest, known.present, isNews: isNews)
    }
    clusters += silent.compactMap { making.cluster($0, isNews: isNews) }
    for cluster in clusters[first...] {
      for path in cluster.paths + cluster.offline {
        if let song = observation.song(at: path) { examined.insert(song.id) }
      }
    }
  }

  /// Lists all examined songs, except those that certainly have their own path with their own
  /// sound.
  private func listMissed() {
    let safe = Set(clusters.compactMap { $0.owners.count == 1 ? $0.owners[0].id : nil })
    missed = examined.subtracting(safe).sorted().compactMap { observation.before.songs[$0] }
  }

  // MARK: The second ring

  /// Adds the clusters of younger songs that a song without a file may take over.
  private func gatherYounger() {
    var younger = copies()
    let heirs = heirs()
    var stems: [AlbumFolder: [BytePath: [Song]]] = [:]
    var alike: [SongKey: [Song]] = [:]
    for song in missed where !observation.isWaiting(song) {
      let folder = observation.albumFolder(of: song.path)
      let beside = stems[folder] ?? songsByStem(in: folder)
      stems[folder] = beside
      var others = beside[song.path.withoutExtension] ?? []
      // A song's place is tried before its sound, and everything else after it.
      for key in certain.contains(song.id) ? [] : keys(of: song, heirs) {
        let songs = alike[key] ?? observation.songs(key)
        alike[key] = songs.count > Self.mostAlike ? [] : songs
        others += alike[key] ?? []
      }
      younger += others.filter { observation.isYoungerAndUntouched($0, than: song) }
    }
    var digests: Set<AudioDigest> = []
    var silent: Set<BytePath> = []
    for song in younger where isUnconcerned(song) {
      if let digest = song.digest { digests.insert(digest) } else { silent.insert(song.path) }
    }
    gather(digests, silent, isNews: false)
  }

  /// Returns the tags and ids by which a song is searched for.
  private func keys(of song: Song, _ heirs: [AlbumID: Set<String>]) -> [SongKey] {
    let families = [observation.group(of: song).family] + (heirs[song.album] ?? [])
    let titles = families.map { family in
      SongKey.title(family: family, disc: song.orderDisc, track: song.track, title: song.title)
    }
    return titles + [SongKey.recording(song.recording, song.release)].compactMap { $0 }
  }

  private func songsByStem(in folder: AlbumFolder) -> [BytePath: [Song]] {
    let files = observation.lookups.files(in: folder, observation.before)
      .filter { !examined.contains($0.song.id) }
    return Dictionary(grouping: files, by: \.path.withoutExtension).mapValues { $0.map(\.song) }
  }

  /// Returns the families that songs of an album may move to by this scan.
  private func heirs() -> [AlbumID: Set<String>] {
    var heirs: [AlbumID: Set<String>] = [:]
    let byStem = Dictionary(grouping: missed, by: \.path.withoutExtension)
    for cluster in clusters {
      var songs = cluster.digest.flatMap { self.songs[$0] } ?? []
      if songs.count > Self.mostAlike { songs = [] }
      for path in cluster.paths {
        songs += byStem[path.withoutExtension] ?? []
        if let song = observation.song(at: path) { songs.append(song) }
      }
      for song in songs where observation.group(of: song) != cluster.group {
        heirs[song.album, default: []].insert(cluster.group.family)
      }
    }
    return heirs
  }

  /// Returns the younger songs of affected albums that sound like a song without a file of another
  /// album.
  private func copies() -> [Song] {
    let before = observation.before
    stirred = Set(examined.compactMap { before.songs[$0]?.album })
    stirred.formUnion(observation.newlyAbsent.compactMap { observation.song(at: $0)?.album })
    stirred.formUnion(albumsOfCopies())
    if !hasOthers { return [] }
    let members = stirred.compactMap { before.albums[$0] }.flatMap { before.songs(of: $0) }
    return members.filter { young in
      guard let digest = young.digest, songs[digest] == nil, isUnconcerned(young) else {
        return false
      }
      return others(.sound(digest)).contains { isCopy(young, of: $0) }
    }
  }

  /// Returns the albums with a younger song that has the sound of a missed song of another album.
  private func albumsOfCopies() -> Set<AlbumID> {
    var bySound: [AudioDigest: [Song]] = [:]
    for song in missed where isLookedForInCopies(song) {
      if let digest = song.digest { bySound[digest, default: []].append(song) }
    }
    var albums: Set<AlbumID> = []
    for (digest, songs) in bySound {
      // The oldest song of each album is enough. Even of thousands with one sound, two decide about
      // each copy.
      var known: Set<AlbumID> = []
      let oldest = songs.ascending(by: \.seen).filter { known.insert($0.album).inserted }
      for young in self.songs[digest] ?? [] where !young.isGone {
        guard let song = oldest.first(where: { $0.album != young.album }) else { continue }
        if isCopy(young, of: song) { albums.insert(young.album) }
      }
    }
    return albums
  }

  func isLookedForInCopies(_ song: Song) -> Bool {
    !observation.isWaiting(song) && !observation.isOffline(song)
  }

  func isCopy(_ young: Song, of song: Song) -> Bool {
    young.album != song.album && observation.isYoungerAndUntouched(young, than: song)
  }

  // MARK: Songs without a file

  /// Returns songs without a file that this scan did not change: gone before it, absent or offline.
  private func others(_ key: SongKey) -> [Song] {
    let songs = observation.goneSongs(key)
    if !mayMissOthers { return songs }
    return songs
      + observation.knownSongs(key).filter { song in
        !examined.contains(song.id)
          && observation.files(of: song).allSatisfy { path in
            observation.isAwaited(path) || observation.before.away.covers(path)
          }
      }
  }

  /// Indexes the songs that may be without a file by all keys that a cluster may have.
  private func askForMissed() {
    for song in missed {
      var keys = Lookups.goneKeys(of: song)
      if certain.contains(song.id) {
        keys = song.digest.map { [.sound($0), .stem(song.path.withoutExtension)] } ?? []
      }
      for key in keys { missedByKey[key, default: []].append(song) }
    }
    if !hasOthers { return }
    var asked: Set<SongKey> = []
    for (place, cluster) in clusters.enumerated() {
      var keys = cluster.digest.map { [SongKey.sound($0)] } ?? []
      keys += cluster.paths.map { .stem($0.withoutExtension) }
      keys += titles[place].union(recordings[place])
      for key in keys where asked.insert(key).inserted {
        missedByKey[key, default: []] += others(key)
      }
    }
  }
}
