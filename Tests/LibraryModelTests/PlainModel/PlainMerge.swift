@testable import LibraryModel

/// What one merge is told, as the specification sees it.
struct PlainLook {
  /// All known files before and after, those of places that are away included.
  var before: [String: PlainFile]
  var files: [String: PlainFile]
  /// New at their path, or changed.
  var changed: Set<String>
  var vanished: Set<String>
  /// Not there at the moment, and still waited for.
  var absent: Set<String>
  var away: Set<String>
  var seen: Int64
  var isFirstScan = false
  var newAlbums: String?

  func isAway(_ path: String) -> Bool { away.contains { isInside(path, $0) } }
}

/// The merge of specification 1.2 to 1.4 by simple loops. Throws where the specification leaves
/// several results possible.
struct PlainMerge {
  /// Files with the same sound in the same group: one song.
  struct Cluster {
    var group: String
    /// In byte order.
    var paths: [String]
    var song: SongID?
    var isNew = false
  }

  let old: PlainLibrary
  let look: PlainLook
  /// The library after the merge of the code under test: gives the ids of what is new, and nothing
  /// else.
  let namer: Library
  var now: PlainLibrary
  var groups: [String: String] = [:]
  var clusters: [Cluster] = []
  /// Which song each known file belongs to.
  var owners: [String: SongID] = [:]
  var claimed: Set<SongID> = []

  static func merge(
    _ look: PlainLook, into old: PlainLibrary, naming namer: Library
  ) throws -> PlainLibrary {
    var look = look
    while true {
      var merge = PlainMerge(old: old, look: look, namer: namer, now: old)
      try merge.judge(PlainGroups(look.files))
      try merge.gather()
      try merge.keepUnchanged()
      try merge.recognise()
      let left = try merge.leftBehind()
      if left.isEmpty {
        try merge.nameNew()
        try merge.follow()
        try merge.place()
        return merge.now
      }
      // They count as vanished, and folders are judged without them.
      look.vanished.formUnion(left)
      look.absent.subtract(left)
      for path in left { look.files[path] = nil }
    }
  }

  private init(old: PlainLibrary, look: PlainLook, namer: Library, now: PlainLibrary) {
    (self.old, self.look, self.namer, self.now) = (old, look, namer, now)
    for song in old.songs.values where !song.isGone {
      for path in song.paths { owners[path] = song.id }
    }
  }

  // MARK: Groups

  private mutating func judge(_ judged: PlainGroups) throws {
    groups = judged.groups
    var torn = judged.editions
    let kept = old.albums.values.map(\.group)
    for group in kept where kept.filter({ $0 == group }).count > 1 { torn.insert(group) }
    torn.formUnion(labelledEditions)
    if torn.isEmpty && judged.open.isEmpty { return }
    for (path, group) in groups {
      let before = owners[path].flatMap { old.songs[$0]?.group }
      let isTouched = look.changed.contains(path) || before != group
      if isTouched && (torn.contains(group) || torn.contains(before ?? "")) {
        throw Several("editions")
      }
      if isTouched && judged.open.contains(plainAlbumFolder(path)) {
        throw Several("two album artists claim an album")
      }
    }
    for path in look.vanished {
      if torn.contains(owners[path].flatMap { old.songs[$0]?.group } ?? "") {
        throw Several("editions")
      }
      if judged.open.contains(plainAlbumFolder(path)) {
        throw Several("two album artists claim an album")
      }
    }
  }

  /// Groups of which one album has an edition's label: judged by what must hold alone, since the
  /// plain model has no editions.
  private var labelledEditions: Set<String> {
    Set(namer.albums.values.map(\.group).filter { !$0.edition.isEmpty }.map(plainGroup))
  }

  // MARK: Clusters

  private mutating func gather() throws {
    var places: [String: [String]] = [:]
    for path in look.files.keys where !look.absent.contains(path) {
      guard let sound = look.files[path]?.sound, let group = groups[path] else { continue }
      places[sound == 0 ? "0/\(path)" : "\(sound)/\(group)", default: []].append(path)
    }
    for (_, paths) in places {
      let paths = paths.sorted()
      guard let group = groups[paths[0]] else { continue }
      if paths.count == 1 {
        clusters.append(Cluster(group: group, paths: paths))
        continue
      }
      for part in try split(paths) { clusters.append(Cluster(group: group, paths: part)) }
    }
    clusters.sort { $0.paths[0] < $1.paths[0] }
  }

  /// Silent tracks of one folder, which have the same sound, are songs of their own.
  private func split(_ paths: [String]) throws -> [[String]] {
    func track(_ path: String) -> Int { look.files[path]?.tags.track ?? -1 }
    func disc(_ path: String) -> Int { look.files[path].map { plainDisc($0, path) } ?? 1 }
    let folders = Set(paths.map(plainAlbumFolder))
    var differs = false
    for left in paths {
      for right in paths where plainAlbumFolder(left) == plainAlbumFolder(right) {
        differs = differs || track(left) != track(right)
        if disc(left) != disc(right) { throw Several("one sound on two discs") }
      }
    }
    if !differs { return [paths] }
    if folders.count > 1 { throw Several("silent tracks and a copy") }
    return Set(paths.map(track)).sorted().map { one in paths.filter { track($0) == one } }
  }

  // MARK: Files that are what they were

  private func isUnchanged(_ path: String) -> Bool {
    !look.changed.contains(path) && owners[path] != nil
  }

  private mutating func keepUnchanged() throws {
    for index in clusters.indices {
      let known = Set(clusters[index].paths.filter(isUnchanged).compactMap { owners[$0] })
      // A song that is away is had by whoever brings its sound.
      if clusters[index].paths.allSatisfy(look.isAway) { continue }
      if known.count > 1 { throw Several("two songs become one") }
      guard let song = known.first else { continue }
      if !claimed.insert(song).inserted { throw Several("one song becomes two") }
      clusters[index].song = song
    }
    for index in clusters.indices where clusters[index].paths.allSatisfy(look.isAway) {
      for path in clusters[index].paths {
        if let song = owners[path], claimed.contains(song) { throw Several("a copy is away") }
      }
    }
  }

  // MARK: What becomes of the songs

  private mutating func follow() throws {
    for cluster in clusters where !cluster.isNew {
      guard let id = cluster.song, var song = now.songs[id] else { continue }
      // The first path in byte order is its file; another takes over when that is away.
      let own = cluster.paths.first { !look.isAway($0) } ?? cluster.paths[0]
      if own != cluster.paths[0] { throw Several("the first file is away") }
      song.paths = cluster.paths
      song.file = look.files[own] ?? song.file
      song.isGone = false
      now.songs[id] = song
    }
    for song in old.songs.values where !song.isGone && !claimed.contains(song.id) {
      let waiting = song.paths.filter { look.absent.contains($0) }
      if waiting.isEmpty {
        now.songs[song.id]?.isGone = true
        now.songs[song.id]?.paths = [song.path]
      } else {
        if waiting[0] != song.path { throw Several("the own file vanished, a copy is absent") }
        now.songs[song.id]?.paths = waiting
      }
    }
    try youngerGivesWay()
  }

  /// 1.4, last paragraph: by sound, by MusicBrainz, by tags.
  private mutating func youngerGivesWay() throws {
    var lost = old.songs.values.filter { song in
      !song.isGone && now.songs[song.id]?.isGone == true && !claimed.contains(song.id)
    }
    var given: Set<SongID> = []
    for isSame in [isSameSound, isSameRecording, isSameTrack] {
      var pairs: [(song: PlainLibrary.Song, cluster: Int, younger: SongID)] = []
      for song in lost {
        for (index, cluster) in clusters.enumerated() where cluster.group == song.group {
          guard !cluster.isNew, let id = cluster.song, let younger = old.songs[id],
            !given.contains(id), younger.added > song.added, !younger.isPlaced,
            let file = look.files[cluster.paths[0]], isSame(song, file, cluster.paths[0])
          else { continue }
          if cluster.paths.allSatisfy(look.isAway) { throw Several("the younger song is away") }
          pairs.append((song, index, id))
        }
      }
      for pair in pairs {
        let rivals = pairs.filter { $0.song.id == pair.song.id || $0.younger == pair.younger }
        if rivals.count > 1 { continue }
        lost.removeAll { $0.id == pair.song.id }
        given.insert(pair.younger)
        giveWay(pair.younger, to: pair.song.id, pair.cluster)
      }
    }
  }

  private mutating func giveWay(_ younger: SongID, to song: SongID, _ cluster: Int) {
    now.songs[song]?.paths = clusters[cluster].paths
    if let file = look.files[clusters[cluster].paths[0]] { now.songs[song]?.file = file }
    now.songs[song]?.isGone = false
    now.songs[younger] = nil
    for id in now.albums.keys { now.albums[id]?.entries.removeAll { $0 == younger } }
    clusters[cluster].song = song
  }
}
