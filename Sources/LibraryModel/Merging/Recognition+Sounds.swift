/// The steps that go by sound.
extension Recognition {
  /// Step 2: the same sound is that song.
  mutating func matchSounds() {
    var places: [AudioDigest: [Int]] = [:]
    for (place, cluster) in clusters.enumerated() {
      if let digest = cluster.digest { places[digest, default: []].append(place) }
    }
    for digest in places.keys.sorted() {
      let songs = songsWithoutFile(.sound(digest))
      if !songs.isEmpty { match(bySeniority(songs), places[digest] ?? []) }
    }
  }

  /// Gives songs and clusters of one sound to each other, the nearest first: the very same file,
  /// then the same group, then disc and track, then the file's name; a free file before a held one.
  private mutating func match(_ songs: [Song], _ places: [Int]) {
    let facts = places.map { Nearness(clusters[$0], observation) }
    let files = SameFiles(places.map { clusters[$0] }, observation)
    for song in songs {
      let own = Nearness(song, observation)
      let same = files.places(of: song, observation)
      let best = same.filter { mayTake(song, places[$0], bySound: true) }
        .min { facts[$0].rank(beside: own) < facts[$1].rank(beside: own) }
      if let best, isWithoutFile(song) { giveBySound(song, places[best]) }
    }
    for level in Nearness.levels where songs.contains(where: isWithoutFile) {
      for isHeld in [false, true] {
        var open: [Nearness: [Int]] = [:]
        for (index, place) in places.enumerated().reversed()
        where (holders[place] != nil) == isHeld && isOpen(place) {
          open[facts[index].cut(to: level), default: []].append(place)
        }
        if open.isEmpty { continue }
        for song in songs where isWithoutFile(song) {
          let key = Nearness(song, observation).cut(to: level)
          guard let fitting = open[key]?.lastIndex(where: { mayTake(song, $0, bySound: true) }),
            let place = open[key]?.remove(at: fitting)
          else { continue }
          giveBySound(song, place)
        }
      }
    }
  }

  private mutating func giveBySound(_ song: Song, _ place: Int) {
    let isKnown = clusters[place].paths.contains { isFile($0, of: song) }
    give(song.id, place, by: isKnown ? .duplicate : .sound)
  }

  private func isOpen(_ place: Int) -> Bool {
    holder(place).map { !observation.isTouched($0) } ?? true
  }

  /// Whether the cluster is free for the song, or held by one that gives way to it.
  ///
  /// - Parameter heir: the group that counts as the song's besides its own.
  func mayTake(_ song: Song, _ place: Int, bySound: Bool, heir: GroupKey? = nil) -> Bool {
    let group = observation.group(of: song)
    if bySound, observation.isOffline(song), clusters[place].group != group,
      !isSameFile(song, clusters[place])
    {
      return false
    }
    guard let young = holder(place) else { return holders[place] == nil }
    return !isWaiting(song) && observation.isYoungerAndUntouched(young, than: song)
      && (group == clusters[place].group || group == observation.group(of: young)
        || heir == clusters[place].group)
  }

  /// Whether a file of the cluster is the very file that the song had, under another name.
  func isSameFile(_ song: Song, _ cluster: Cluster) -> Bool {
    cluster.paths.contains { path in
      if let from = observation.renamed[path], from.contains(where: { isFile($0, of: song) }) {
        return true
      }
      guard let identity = observation.found[path]?.stamp.identity, identity.birth != 0,
        let known = observation.identity(of: song)
      else { return false }
      return identity == known
    }
  }

  private func isFile(_ path: BytePath, of song: Song) -> Bool {
    observation.song(at: path)?.id == song.id
  }

  /// A copy whose originals are gone was a move: where more than half of what is younger and
  /// untouched in an album sounds like songs without a file, those have its files.
  mutating func matchMovedAlbums() {
    var albums: Set<AlbumID> = []
    for id in examined { if let song = observation.before.songs[id] { albums.insert(song.album) } }
    for song in lost where isLookedForInCopies(song) {
      guard let digest = song.digest else { continue }
      for young in observation.songs(.sound(digest)) where isCopy(young, of: song) {
        albums.insert(young.album)
      }
    }
    let found = albums.compactMap { observation.before.albums[$0] }
    for album in found.sorted(by: { ($0.seen, $0.id) < ($1.seen, $1.id) }) {
      matchCopies(in: album)
    }
  }

  private func isLookedForInCopies(_ song: Song) -> Bool {
    isWithoutFile(song) && !isWaiting(song) && !observation.isOffline(song)
  }

  private func isCopy(_ young: Song, of song: Song) -> Bool {
    young.album != song.album && observation.isYoungerAndUntouched(young, than: song)
  }

  private mutating func matchCopies(in album: Album) {
    let members = observation.before.songs(of: album).filter { song in
      !observation.isTouched(song) && (clusterOf[song.id] != nil || isUnconcerned(song))
    }
    var originals: [SongID: [Song]] = [:]
    for young in members {
      guard let digest = young.digest else { continue }
      let songs = songsWithoutFile(.sound(digest)).filter {
        isLookedForInCopies($0) && isCopy(young, of: $0)
      }
      if !songs.isEmpty { originals[young.id] = songs }
    }
    guard let oldest = originals.values.joined().map(\.seen).min() else { return }
    // Songs that came from other albums say nothing of how this one came to be.
    let own = members.filter { $0.seen > oldest && !hasSlotElsewhere($0) }
    guard own.count(where: { originals[$0.id] != nil }) * 2 > own.count else { return }
    for young in members.sorted(by: { $0.path < $1.path }) {
      let songs = (originals[young.id] ?? []).filter(isWithoutFile)
      guard !songs.isEmpty, let place = cluster(of: young) else { continue }
      let facts = Nearness(clusters[place], observation)
      let best = bySeniority(songs).min {
        facts.rank(beside: Nearness($0, observation))
          < facts.rank(beside: Nearness($1, observation))
      }
      if let best { give(best.id, place, by: .sound) }
    }
  }

  private func hasSlotElsewhere(_ song: Song) -> Bool {
    observation.before.wanderers[song.id] != nil
  }

  /// A new file with the sound and the group of a slot that an album kept is that slot's song, even
  /// where that has a file elsewhere: there a new song takes its file and its place.
  mutating func returnToSlots() {
    for place in clusters.indices where holders[place] == nil {
      let cluster = clusters[place]
      guard let digest = cluster.digest,
        cluster.paths.allSatisfy({ observation.song(at: $0) == nil }),
        let album = observation.lookups.albumOfGroup[cluster.group]
          .flatMap({ observation.before.albums[$0] })
      else { continue }
      let fitting = observation.songs(.sound(digest)).filter { song in
        guard song.album != album.id, let other = clusterOf[song.id] else { return false }
        return clusters[other].group != cluster.group && album.entries.contains(song.id)
      }
      guard let song = fitting.first, fitting.count == 1, let other = clusterOf[song.id]
      else { continue }
      give(song.id, place, by: .sound)
      inPlaceOf[other] = song.id
    }
  }
}

/// Which of several clusters hold the very file that a song had.
private struct SameFiles {
  private var byIdentity: [FileIdentity: [Int]] = [:]
  private var byFormerPath: [BytePath: [Int]] = [:]

  init(_ clusters: [Cluster], _ observation: Observation) {
    for (place, cluster) in clusters.enumerated() {
      for path in cluster.paths {
        for from in observation.renamed[path] ?? [] {
          byFormerPath[from, default: []].append(place)
        }
        if let identity = observation.found[path]?.stamp.identity, identity.birth != 0 {
          byIdentity[identity, default: []].append(place)
        }
      }
    }
  }

  func places(of song: Song, _ observation: Observation) -> [Int] {
    var found = observation.identity(of: song).flatMap { byIdentity[$0] } ?? []
    if !byFormerPath.isEmpty {
      for path in observation.files(of: song) { found += byFormerPath[path] ?? [] }
    }
    return found
  }
}

/// By what the nearest of several files of one sound is found.
struct Nearness: Hashable {
  private var group: GroupKey?
  private var disc: Int?
  private var track: Int??
  private var name: [UInt8]?

  init(_ song: Song, _ observation: Observation) {
    group = observation.group(of: song)
    disc = song.orderDisc
    track = .some(song.track)
    name = song.path.name
  }

  init(_ cluster: Cluster, _ observation: Observation) {
    let facts = observation.facts(at: cluster.path)
    group = cluster.group
    disc = orderDisc(facts?.disc, cluster.path)
    track = .some(facts?.track)
    name = cluster.path.name
  }

  /// From the nearest to the farthest: which of group, track and name are the same.
  static let levels: [(group: Bool, track: Bool, name: Bool)] = [
    (true, true, true), (true, true, false), (true, false, true), (true, false, false),
    (false, true, true), (false, true, false), (false, false, true), (false, false, false),
  ]

  /// What counts at a level.
  func cut(to level: (group: Bool, track: Bool, name: Bool)) -> Nearness {
    var key = self
    if !level.group { key.group = nil }
    if !level.track { (key.disc, key.track) = (nil, nil) }
    if !level.name { key.name = nil }
    return key
  }

  /// The level at which both are equal; 0 is the nearest.
  func rank(beside other: Nearness) -> Int {
    Nearness.levels.firstIndex { cut(to: $0) == other.cut(to: $0) } ?? Nearness.levels.count
  }
}
