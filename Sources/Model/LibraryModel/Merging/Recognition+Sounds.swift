/// The steps that use sounds.
extension Recognition {
  /// Matches songs with clusters of the same sound (step 2).
  mutating func matchSounds() {
    for digest in around.places.keys.sorted() {
      let songs = songsWithoutFile(.sound(digest))
      if songs.isEmpty { continue }
      match(songs, around.places[digest] ?? []) { recognition, song, place in
        recognition.isLookedFor(song, in: place) && recognition.mayTake(song, place)
      }
    }
  }

  /// Matches songs and clusters of one sound, the nearest first:
  /// 1. the same file, then the same group, then disc and track, then the file name
  /// 2. a free file before a held one
  /// 3. touched songs, then older ones, then by their places
  /// 4. by path
  private mutating func match(
    _ songs: [Song], _ places: [Int], _ may: (Recognition, Song, Int) -> Bool
  ) {
    let songs = bySeniority(songs)
    let places = places.sorted()
    let nearness = places.map { Nearness.all(clusters[$0], observation) }
    let files = SameFiles(places.map { clusters[$0] }, observation)
    var same: [(rank: Int, isHeld: Int, song: Int, index: Int)] = []
    for (number, song) in songs.enumerated() {
      let own = Nearness(song, observation)
      for index in Set(files.places(of: song, observation)) {
        let isHeld = holders[places[index]] == nil ? 0 : 1
        same.append((own.rank(beside: nearness[index]), isHeld, number, index))
      }
    }
    for (_, isHeld, number, index) in same.sorted(by: <) {
      let (song, place) = (songs[number], places[index])
      if isWithoutFile(song), (holders[place] == nil) == (isHeld == 0), may(self, song, place) {
        giveBySound(song, place)
      }
    }
    for level in Nearness.levels where songs.contains(where: isWithoutFile) {
      for isHeld in [false, true] {
        // Taken from the end, so that the cost per song does not grow with the number of equal
        // sounds.
        var open: [Nearness: [Int]] = [:]
        for (index, place) in places.enumerated().reversed()
        where (holders[place] != nil) == isHeld && isOpen(place) {
          for key in Set(nearness[index].map({ $0.cut(to: level) })) {
            open[key, default: []].append(place)
          }
        }
        if open.isEmpty { continue }
        for song in songs where isWithoutFile(song) {
          let key = Nearness(song, observation).cut(to: level)
          let fitting = open[key]?.lastIndex { place in
            (holders[place] != nil) == isHeld && isOpen(place) && may(self, song, place)
          }
          if let fitting, let place = open[key]?.remove(at: fitting) { giveBySound(song, place) }
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

  /// Whether the cluster is free, or held by a song that gives way to this one.
  ///
  /// - Parameter heir: a group that counts as the song's besides its own.
  func mayTake(_ song: Song, _ place: Int, heir: GroupKey? = nil) -> Bool {
    let group = observation.group(of: song)
    // An offline song is found only in its own album, or by file identity.
    if observation.isOffline(song), clusters[place].group != group,
      !isSameFile(song, clusters[place])
    {
      return false
    }
    guard let young = holder(place) else { return holders[place] == nil }
    return !observation.isWaiting(song) && observation.isYoungerAndUntouched(young, than: song)
      && (group == clusters[place].group || group == observation.group(of: young)
        || heir == clusters[place].group || hasSlot(young, in: song.album))
  }

  /// Whether a file of the cluster is the song's former file under another name.
  func isSameFile(_ song: Song, _ cluster: Cluster) -> Bool {
    cluster.paths.contains { isSameFile(song, at: $0) }
  }

  func isSameFile(_ song: Song, at path: BytePath) -> Bool {
    if let from = observation.renamed[path], from.contains(where: { isFile($0, of: song) }) {
      return true
    }
    guard let identity = observation.facts(at: path)?.stamp.identity, identity.tellsFile,
      let known = observation.identity(of: song)
    else { return false }
    return identity == known
  }

  private func isFile(_ path: BytePath, of song: Song) -> Bool {
    observation.song(at: path)?.id == song.id
  }

  /// Matches songs of albums that were moved by copying them first and deleting the originals. If
  /// more than half of the younger, untouched songs of an album sound like songs without a file,
  /// those get its files.
  mutating func matchMovedAlbums() {
    var copies: [AudioDigest: [(song: Song, place: Int)]] = [:]
    var copyAt: [Int: SongID] = [:]
    var allowed: [SongID: Set<Int>] = [:]
    // Nothing is matched here, so each sound is queried once, however many albums have it.
    var missed: [AudioDigest: [Song]] = [:]
    for digest in around.places.keys {
      let songs = songsWithoutFile(.sound(digest)).filter(around.isLookedForInCopies)
      if !songs.isEmpty { missed[digest] = songs }
    }
    if missed.isEmpty { return }
    for album in around.stirred.sorted().compactMap({ observation.before.albums[$0] }) {
      for (song, young) in movedSongs(to: album, missed) {
        guard let digest = song.digest, let place = clusterOf[young.id] else { continue }
        copies[digest, default: []].append((song, place))
        copyAt[place] = young.id
        allowed[song.id, default: []].insert(place)
      }
    }
    for digest in copies.keys.sorted() {
      let pairs = copies[digest] ?? []
      let songs = Dictionary(pairs.map { ($0.song.id, $0.song) }) { first, _ in first }
      match(Array(songs.values), Array(Set(pairs.map(\.place)))) { recognition, song, place in
        // A copy that another song without a file has got meanwhile is ignored.
        recognition.holders[place] == copyAt[place] && allowed[song.id]?.contains(place) == true
      }
    }
  }

  /// Returns songs without a file, each with the younger song of the album that has its sound, if
  /// more than half of the songs that are younger than it are such copies.
  private func movedSongs(
    to album: Album, _ missed: [AudioDigest: [Song]]
  ) -> [(song: Song, young: Song)] {
    let members = observation.before.songs(of: album).filter { song in
      !observation.isTouched(song) && (clusterOf[song.id] != nil || around.isUnconcerned(song))
    }
    var pairs: [(song: Song, young: Song)] = []
    for young in members {
      let digest = clusterOf[young.id].map { clusters[$0].digest } ?? young.digest
      for song in digest.flatMap({ missed[$0] }) ?? [] where around.isCopy(young, of: song) {
        pairs.append((song, young))
      }
    }
    if pairs.isEmpty { return [] }
    let copies = Set(pairs.map(\.young.id))
    // Songs that came from other albums don't show how this one was created.
    let own = members.filter { !hasSlotElsewhere($0) }
    let times = Set(pairs.map(\.song.seen)).filter { time in
      let younger = own.filter { $0.seen > time }
      return younger.count { copies.contains($0.id) } * 2 > younger.count
    }
    return pairs.filter { times.contains($0.song.seen) }
  }

  /// Whether the song was in the album before it was retagged.
  private func hasSlot(_ song: Song, in album: AlbumID) -> Bool {
    observation.before.wanderers[song.id]?.contains(album) == true
  }

  private func hasSlotElsewhere(_ song: Song) -> Bool {
    observation.before.wanderers[song.id] != nil
  }

  /// Returns songs to their slots. A new file with the sound and the group of a slot is that slot's
  /// song, even if the song has a file elsewhere. A new song then takes over that file and its
  /// place.
  mutating func returnToSlots() {
    for place in clusters.indices where holders[place] == nil {
      let cluster = clusters[place]
      guard let digest = cluster.digest,
        cluster.paths.contains(where: { observation.song(at: $0) == nil }),
        let album = observation.lookups.albumOfGroup[cluster.group]
          .flatMap({ observation.before.albums[$0] })
      else { continue }
      let songs = around.songs[digest] ?? []
      let fitting = songs.filter { song in
        guard song.album != album.id, let other = clusterOf[song.id] else { return false }
        // A song that took over the place of a song that returned earlier is already the album's
        // version of it.
        let isTaken = songs.contains { $0.album == album.id && $0.seen > song.seen }
        return !isTaken && clusters[other].group != cluster.group
          && album.entries.contains(song.id)
      }
      guard let song = fitting.first, fitting.count == 1, let other = clusterOf[song.id]
      else { continue }
      give(song.id, place, by: .sound)
      if let owner = offlineOwner(of: clusters[other]) {
        give(owner.id, other, by: .sound)
      } else {
        inPlaceOf[other] = song.id
      }
    }
  }

  /// Returns the offline song whose own file is among the cluster's offline files, unless it has a
  /// cluster.
  private func offlineOwner(of cluster: Cluster) -> Song? {
    bySeniority(
      cluster.offline.compactMap(observation.song).filter { song in
        cluster.offline.contains(song.path) && clusterOf[song.id] == nil
      }
    ).first
  }
}

/// Finds the clusters that contain a song's former file.
struct SameFiles {
  private var byIdentity: [FileIdentity: [Int]] = [:]
  private var byFormerPath: [BytePath: [Int]] = [:]
  private var byName: [[UInt8]: [Int]] = [:]

  init(_ clusters: [Cluster], _ observation: Observation) {
    for (place, cluster) in clusters.enumerated() {
      for path in cluster.paths {
        byName[path.name, default: []].append(place)
        for from in observation.renamed[path] ?? [] {
          byFormerPath[from, default: []].append(place)
        }
        if let identity = observation.facts(at: path)?.stamp.identity, identity.tellsFile {
          byIdentity[identity, default: []].append(place)
        }
      }
    }
  }

  /// Returns the clusters with a file of that name, in any folder.
  func places(named name: [UInt8]) -> [Int] { byName[name] ?? [] }

  func places(of song: Song, _ observation: Observation) -> [Int] {
    var found = observation.identity(of: song).flatMap { byIdentity[$0] } ?? []
    if !byFormerPath.isEmpty {
      for path in observation.files(of: song) { found += byFormerPath[path] ?? [] }
    }
    return found
  }
}

/// The nearness of a file to a song of the same sound: by group, then disc and track, then name.
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

  private init(_ path: BytePath, _ group: GroupKey, _ observation: Observation) {
    let facts = observation.facts(at: path)
    self.group = group
    disc = orderDisc(facts?.disc, path)
    track = .some(facts?.track)
    name = path.name
  }

  /// Returns the nearness of each file of a cluster.
  static func all(_ cluster: Cluster, _ observation: Observation) -> [Nearness] {
    cluster.paths.map { Nearness($0, cluster.group, observation) }
  }

  /// The levels from the nearest to the farthest: which of group, track and name are equal.
  static let levels: [(group: Bool, track: Bool, name: Bool)] = [
    (true, true, true), (true, true, false), (true, false, true), (true, false, false),
    (false, true, true), (false, true, false), (false, false, true), (false, false, false),
  ]

  /// Returns the nearness with only the properties that count at a level.
  func cut(to level: (group: Bool, track: Bool, name: Bool)) -> Nearness {
    var key = self
    if !level.group { key.group = nil }
    if !level.track { (key.disc, key.track) = (nil, nil) }
    if !level.name { key.name = nil }
    return key
  }

  /// Returns the level at which it equals one of the others. 0 is the nearest.
  func rank(beside others: [Nearness]) -> Int {
    Nearness.levels.firstIndex { level in
      others.contains { $0.cut(to: level) == cut(to: level) }
    } ?? Nearness.levels.count
  }
}
