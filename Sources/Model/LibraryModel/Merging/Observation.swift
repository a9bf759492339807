/// The findings of a scan, beside what was known before: the first stage of a merge. All queries
/// refer to the library before the merge. A class, because all later stages hold it and are copied.
final class Observation: Sendable {
  let before: Library
  let lookups: Lookups
  let contents: FolderContents
  /// Files that are new at their path, or have changed.
  let found: [BytePath: FileFacts]
  /// The found files with a digest, by it.
  let foundBySound: [AudioDigest: [BytePath]]
  /// The known songs of each of these sounds.
  let songsOfFound: [AudioDigest: (present: [Song], gone: [Song])]
  /// The former paths of renamed files, as the kernel reported them.
  let renamed: [BytePath: [BytePath]]
  /// Known files that no longer exist.
  let vanished: Set<BytePath>
  /// The folder's missing files that are still waited for.
  let absent: AbsentFiles
  /// The absent files that were not absent before this scan.
  let newlyAbsent: Set<BytePath>

  /// - Parameter absent: the files of the folder that were absent before.
  init(
    _ contents: FolderContents, _ library: Library, _ lookups: Lookups, _ absent: AbsentFiles
  ) {
    before = library
    self.lookups = lookups
    self.contents = contents
    var found: [BytePath: FileFacts] = [:]
    for file in contents.found where !library.away.isOutside(file.path) {
      let song = lookups.song(at: file.path, in: library)
      // A repeated report of a known file is ignored, so that its song stays recognised.
      if song.flatMap({ library.facts(of: $0, at: file.path) }) == file.facts { continue }
      found[file.path] = file.facts
    }
    var bySound: [AudioDigest: [BytePath]] = [:]
    for (path, facts) in found {
      if let digest = facts.digest { bySound[digest, default: []].append(path) }
    }
    var songs: [AudioDigest: (present: [Song], gone: [Song])] = [:]
    for digest in bySound.keys {
      let key = SongKey.sound(digest)
      songs[digest] = (
        present: lookups.songs(key, in: library), gone: lookups.goneSongs(key, in: library)
      )
    }
    var renamed: [BytePath: [BytePath]] = [:]
    for rename in contents.renames { renamed[rename.to, default: []].append(rename.from) }
    let isKnown = { (path: BytePath) in
      found[path] == nil && lookups.song(at: path, in: library) != nil
    }
    self.found = found
    foundBySound = bySound
    songsOfFound = songs
    self.renamed = renamed
    vanished = Set(contents.vanished.filter(isKnown))
    var now = absent
    now.follow(contents)
    newlyAbsent = Set(
      contents.absent.filter { path in
        now.contains(path) && !absent.contains(path) && !library.away.covers(path)
          && isKnown(path)
      })
    self.absent = now
  }

  /// Creates a copy that does not wait for these files, whose songs were found elsewhere.
  private init(_ other: Observation, givingUp paths: Set<BytePath>) {
    (before, lookups, contents) = (other.before, other.lookups, other.contents)
    (found, foundBySound) = (other.found, other.foundBySound)
    (songsOfFound, renamed) = (other.songsOfFound, other.renamed)
    var absent = other.absent
    for path in paths { absent.remove(path) }
    self.absent = absent
    newlyAbsent = other.newlyAbsent.subtracting(paths)
    vanished = other.vanished.union(paths)
  }

  /// Returns the same scan without waiting for these files, whose songs were found elsewhere.
  func giving(up paths: Set<BytePath>) -> Observation {
    paths.isEmpty ? self : Observation(self, givingUp: paths)
  }

  /// Songs whose only file is missing, and that are almost certain to be found elsewhere in this
  /// scan: exactly one found file has the sound, and no other song has it.
  var movedSongs: [Song] {
    foundBySound.compactMap { digest, paths -> Song? in
      guard paths.count == 1, let known = songsOfFound[digest], known.gone.isEmpty,
        known.present.count == 1, let song = known.present.first,
        before.duplicateFiles[song.id] == nil, isMissing(song.path)
      else { return nil }
      return song
    }
  }

  // MARK: Files

  /// Whether a file exists: it was found, or existed before and is not missing. A path outside all
  /// music folders does not count.
  func isThere(_ path: BytePath) -> Bool {
    if before.away.isOutside(path) { return false }
    return found[path] != nil || (!isMissing(path) && song(at: path) != nil)
  }

  /// Whether the file is missing and still waited for. Offline files are not.
  func isAwaited(_ path: BytePath) -> Bool {
    absent.contains(path) && !before.away.covers(path)
  }

  /// Whether a known file is missing, waited for or not.
  func isMissing(_ path: BytePath) -> Bool { vanished.contains(path) || isAwaited(path) }

  /// Files that are missing since this scan, and whose songs have to be examined because of it. An
  /// absent file that is its song's only one is excluded: the song is found when something matches
  /// it.
  var newlyMissing: Set<BytePath> {
    if before.duplicateFiles.isEmpty { return vanished }
    return vanished.union(
      newlyAbsent.filter { song(at: $0).map { before.duplicateFiles[$0.id] != nil } ?? false })
  }

  /// Whether the file was found or vanished.
  func isNews(_ path: BytePath) -> Bool { found[path] != nil || vanished.contains(path) }

  /// Returns the facts of a file after this scan, or nil if it does not exist or was not read.
  func facts(at path: BytePath) -> FileFacts? {
    if let facts = found[path] { return facts }
    if vanished.contains(path) { return nil }
    return song(at: path).flatMap { before.facts(of: $0, at: path) }
  }

  func digest(at path: BytePath) -> AudioDigest? {
    if let facts = facts(at: path) { return facts.digest }
    return song(at: path)?.digest
  }

  /// Returns the song that a known file belonged to before the merge.
  func song(at path: BytePath) -> Song? { lookups.song(at: path, in: before) }

  /// Returns every known file of a song, its own first.
  func files(of song: Song) -> [BytePath] { before.files(of: song) }

  func albumFolder(of path: BytePath) -> AlbumFolder { lookups.albumFolder(of: path) }

  // MARK: Songs

  /// Returns a song's group, which is its album's.
  func group(of song: Song) -> GroupKey { before.albums[song.album]?.group ?? song.group }

  func isTouched(_ song: Song) -> Bool { before.isTouched(song) }

  /// Whether a file of the song is still waited for. Until then, existing files stay with their
  /// songs.
  func isWaiting(_ song: Song) -> Bool {
    !absent.isEmpty && before.files(of: song).contains(where: isAwaited)
  }

  /// Whether the song's file may exist in a place that can't be accessed now.
  func isOffline(_ song: Song) -> Bool { !song.isGone && before.away.isOffline(song.path) }

  /// Returns the identity of the song's file. The store doesn't contain it for gone songs.
  func identity(of song: Song) -> FileIdentity? {
    song.isGone ? nil : song.facts?.stamp.identity
  }

  /// Whether the older song may take over the younger one's files: the user has decided nothing
  /// about the younger one.
  func isYoungerAndUntouched(_ young: Song, than old: Song) -> Bool {
    young.seen > old.seen && !isTouched(young)
  }

  /// Returns songs that were gone before this merge and match the key.
  func goneSongs(_ key: SongKey) -> [Song] { lookups.goneSongs(key, in: before) }

  /// Returns songs with known files that match the key.
  func songs(_ key: SongKey) -> [Song] { lookups.songs(key, in: before) }

  /// Returns songs with known files that match the key. For a stem, which is not indexed, only
  /// songs whose own file is absent.
  func knownSongs(_ key: SongKey) -> [Song] {
    guard case .stem(let stem) = key else { return songs(key) }
    return absent.files(withStem: stem).compactMap { path in
      song(at: path).flatMap { $0.path == path ? $0 : nil }
    }
  }
}
