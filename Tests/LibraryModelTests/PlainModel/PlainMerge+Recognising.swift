@testable import LibraryModel

/// Specification 1.4.
extension PlainMerge {
  mutating func recognise() throws {
    try match { merge, cluster in try merge.bySound(cluster) }
    try match { merge, cluster in merge.byPath(cluster) }
    try match { merge, cluster in try merge.byInode(cluster) }
    try match { merge, cluster in merge.byRecording(cluster) }
    try match { merge, cluster in merge.byTags(cluster) }
  }

  /// Absent files whose song was recognised elsewhere: nobody waits for those any longer.
  func leftBehind() throws -> Set<String> {
    var left: Set<String> = []
    for cluster in clusters {
      guard let song = cluster.song.flatMap({ old.songs[$0] }), !song.isGone else { continue }
      let absent = song.paths.filter(look.absent.contains)
      if absent.isEmpty { continue }
      if !cluster.paths.contains(where: look.changed.contains) {
        throw Several("a file is absent, and a copy is there")
      }
      left.formUnion(absent)
    }
    return left
  }

  /// What was not recognised is new, or away and what it was.
  mutating func nameNew() throws {
    for index in clusters.indices where clusters[index].song == nil {
      if clusters[index].paths.allSatisfy(look.isAway) {
        let known = Set(clusters[index].paths.compactMap { owners[$0] })
        if known.isSubset(of: claimed) {
          // What is away of a song that was found elsewhere is a stranger.
          continue
        }
        if known.count > 1 { throw Several("two songs that are away become one") }
        clusters[index].song = known.first
        claimed.formUnion(known)
        continue
      }
      guard let id = named(clusters[index].paths[0]) else {
        throw Disagreement("no song has the file \(clusters[index].paths[0])")
      }
      if old.songs[id] != nil {
        throw Disagreement("\(clusters[index].paths[0]) is a new song, and was taken for \(id)")
      }
      clusters[index].song = id
      clusters[index].isNew = true
    }
  }

  /// The id that the code under test gave to what is at the path.
  private func named(_ path: String) -> SongID? {
    var found: SongID?
    namer.songs.forEach { id, song in
      if !song.isGone && song.path == bytePath(path) { found = id }
    }
    return found
  }

  /// Whether no file of the song is there with its sound.
  private func isNotThere(_ song: PlainLibrary.Song) -> Bool {
    if song.isGone { return true }
    return song.paths.allSatisfy { path in
      if look.isAway(path) || look.vanished.contains(path) || look.absent.contains(path) {
        return true
      }
      guard look.changed.contains(path) else { return false }
      return song.file.sound == 0 || look.files[path]?.sound != song.file.sound
    }
  }

  /// One step of evidence. It counts only where it is unambiguous: one file, one song.
  private mutating func match(
    _ candidates: (PlainMerge, Cluster) throws -> [(song: SongID, rank: Int)]
  ) throws {
    var pairs: [(cluster: Int, song: SongID, rank: Int)] = []
    for index in clusters.indices where clusters[index].song == nil {
      if clusters[index].paths.allSatisfy(look.isAway) { continue }
      for (song, rank) in try candidates(self, clusters[index]) where !claimed.contains(song) {
        pairs.append((index, song, rank))
      }
    }
    var settled: [(cluster: Int, song: SongID)] = []
    for pair in pairs {
      let rivals = pairs.filter {
        ($0.cluster == pair.cluster) != ($0.song == pair.song) && $0.rank >= pair.rank
      }
      if rivals.isEmpty { settled.append((pair.cluster, pair.song)) }
    }
    for (cluster, song) in settled {
      clusters[cluster].song = song
      claimed.insert(song)
    }
    let left = pairs.filter { clusters[$0.cluster].song == nil && !claimed.contains($0.song) }
    let touched = left.contains { one in
      settled.contains { done in
        pairs.contains { $0.cluster == one.cluster && $0.song == done.song }
          || pairs.contains { $0.cluster == done.cluster && $0.song == one.song }
      }
    }
    if touched { throw Several("what is ambiguous at first is not any longer") }
  }

  // MARK: The steps

  private func bySound(_ cluster: Cluster) throws -> [(song: SongID, rank: Int)] {
    guard let file = look.files[cluster.paths[0]], file.sound != 0 else { return [] }
    let here = Set(cluster.paths.compactMap { owners[$0] })
    var found: [(song: SongID, rank: Int)] = []
    for song in old.songs.values where song.file.sound == file.sound {
      guard here.contains(song.id) || isNotThere(song) else { continue }
      var rank = song.group == cluster.group ? 8 : 0
      if song.disc == disc(of: cluster), song.file.tags.track == file.tags.track { rank += 4 }
      if cluster.paths.contains(where: { fileName($0) == fileName(song.path) }) { rank += 2 }
      if here.contains(song.id) { rank += 1 }
      found.append((song.id, rank))
    }
    return found
  }

  private func byPath(_ cluster: Cluster) -> [(song: SongID, rank: Int)] {
    guard let file = look.files[cluster.paths[0]] else { return [] }
    return cluster.paths.compactMap { path in
      guard let song = owners[path].flatMap({ old.songs[$0] }) else { return nil }
      let isSameTitle = plainName(song.title) == plainName(title(of: cluster))
      let isSamePlace =
        song.group == cluster.group && song.disc == disc(of: cluster)
        && song.file.tags.track == file.tags.track
      return isSameTitle || isSamePlace ? (song.id, 0) : nil
    }
  }

  private func byInode(_ cluster: Cluster) throws -> [(song: SongID, rank: Int)] {
    var found: [(song: SongID, rank: Int)] = []
    for path in cluster.paths where look.changed.contains(path) {
      guard let inode = look.files[path]?.inode else { continue }
      for song in old.songs.values where song.isGone && song.file.inode == inode {
        throw Several("the inode of a song that is gone")
      }
      for (other, file) in look.before where file.inode == inode {
        guard let song = owners[other].flatMap({ old.songs[$0] }), isNotThere(song),
          !claimed.contains(song.id)
        else { continue }
        found.append((song.id, 0))
      }
    }
    return found
  }

  private func byRecording(_ cluster: Cluster) -> [(song: SongID, rank: Int)] {
    guard let tags = look.files[cluster.paths[0]]?.tags, !tags.recording.isEmpty,
      !tags.release.isEmpty
    else { return [] }
    return old.songs.values.filter { song in
      song.file.tags.recording == tags.recording && song.file.tags.release == tags.release
        && isNotThere(song)
    }.map { ($0.id, 0) }
  }

  private func byTags(_ cluster: Cluster) -> [(song: SongID, rank: Int)] {
    guard let file = look.files[cluster.paths[0]] else { return [] }
    return old.songs.values.filter { song in
      song.group == cluster.group && isNotThere(song)
        && isSameTrack(song, file, cluster.paths[0])
    }.map { ($0.id, 0) }
  }

  /// Disc, track and title, and the duration within two seconds.
  func isSameTrack(_ song: PlainLibrary.Song, _ file: PlainFile, _ path: String) -> Bool {
    song.disc == plainDisc(file, path)
      && song.file.tags.track == file.tags.track
      && plainName(song.title) == plainName(plainTitle(file, path))
      && abs(song.file.milliseconds - file.milliseconds) <= 2000
  }

  /// Two tracks of one folder with one sound are silence.
  func isSameSound(_ song: PlainLibrary.Song, _ file: PlainFile, _ path: String) -> Bool {
    song.file.sound != 0 && song.file.sound == file.sound
      && (plainAlbumFolder(song.path) != plainAlbumFolder(path)
        || (song.disc == plainDisc(file, path) && song.file.tags.track == file.tags.track))
  }

  func isSameRecording(_ song: PlainLibrary.Song, _ file: PlainFile, _ path: String) -> Bool {
    let (one, other) = (song.file.tags, file.tags)
    return !one.recording.isEmpty && !one.release.isEmpty && one.recording == other.recording
      && one.release == other.release
  }

  private func disc(of cluster: Cluster) -> Int {
    look.files[cluster.paths[0]].map { plainDisc($0, cluster.paths[0]) } ?? 1
  }

  private func title(of cluster: Cluster) -> String {
    look.files[cluster.paths[0]].map { plainTitle($0, cluster.paths[0]) } ?? ""
  }
}

/// The title as tagged, else the name of the file; the histories give no leading track numbers.
func plainTitle(_ file: PlainFile, _ path: String) -> String {
  if !file.tags.title.isEmpty { return file.tags.title }
  let name = fileName(path)
  return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
}

func plainDisc(_ file: PlainFile, _ path: String) -> Int {
  file.tags.disc ?? plainDisc(ofFolder: parent(path)) ?? 1
}

/// The code under test did what the specification does not allow.
struct Disagreement: Error {
  var words: String

  init(_ words: String) { self.words = words }
}
