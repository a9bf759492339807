/// What a scan found, beside what was known before: the first stage of a merge. Everything here is
/// asked of the library as it was.
struct Observation: Sendable {
  let before: Library
  let lookups: Lookups
  let contents: FolderContents
  /// Files that are new at their path or changed.
  let found: [BytePath: FileFacts]
  /// Files with a sound, by it.
  let foundBySound: [AudioDigest: [BytePath]]
  /// Where the kernel says that a file was before.
  let renamed: [BytePath: [BytePath]]
  /// Files that were known and are not there any more.
  private(set) var vanished: Set<BytePath>
  /// The folder's files that are not there, and still waited for.
  private(set) var absent: AbsentFiles
  /// Those of them that were not absent before this scan.
  private(set) var newlyAbsent: Set<BytePath>

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
      // What is told again is no news: what was recognised stays so.
      if song.flatMap({ library.facts(of: $0, at: file.path) }) == file.facts { continue }
      found[file.path] = file.facts
    }
    var bySound: [AudioDigest: [BytePath]] = [:]
    for (path, facts) in found {
      if let digest = facts.digest { bySound[digest, default: []].append(path) }
    }
    var renamed: [BytePath: [BytePath]] = [:]
    for rename in contents.renames { renamed[rename.to, default: []].append(rename.from) }
    let isKnown = { (path: BytePath) in
      found[path] == nil && lookups.song(at: path, in: library) != nil
    }
    self.found = found
    foundBySound = bySound
    self.renamed = renamed
    vanished = Set(contents.vanished.filter(isKnown))
    self.absent = absent
    self.absent.follow(contents)
    newlyAbsent = Set(contents.absent.filter { !absent.contains($0) && isKnown($0) })
    newlyAbsent = newlyAbsent.filter(isAwaited)
  }

  /// Returns the same scan without waiting for these files, whose songs were found elsewhere.
  func giving(up paths: Set<BytePath>) -> Observation {
    var given = self
    for path in paths { given.absent.remove(path) }
    given.newlyAbsent.subtract(paths)
    given.vanished.formUnion(paths)
    return given
  }

  // MARK: Files

  /// Whether a file can be looked at now: it was found, or was there before and is not missing. A
  /// path in no music folder is no file.
  func isThere(_ path: BytePath) -> Bool {
    if before.away.isOutside(path) { return false }
    return found[path] != nil || (!isMissing(path) && song(at: path) != nil)
  }

  /// Whether the file is missing and still waited for. What can't be looked at is not.
  func isAwaited(_ path: BytePath) -> Bool {
    absent.contains(path) && !before.away.covers(path)
  }

  /// Whether a known file is not there, waited for or not.
  func isMissing(_ path: BytePath) -> Bool { vanished.contains(path) || isAwaited(path) }

  /// The files that are missing since this scan, and those that were absent until it.
  var newlyMissing: Set<BytePath> { vanished.union(newlyAbsent) }

  /// Whether the file was found or vanished.
  func isNews(_ path: BytePath) -> Bool { found[path] != nil || vanished.contains(path) }

  /// What is known of a file after this scan; nil where it is not there, or was not read.
  func facts(at path: BytePath) -> FileFacts? {
    if let facts = found[path] { return facts }
    if vanished.contains(path) { return nil }
    return song(at: path).flatMap { before.facts(of: $0, at: path) }
  }

  func digest(at path: BytePath) -> AudioDigest? {
    if let facts = facts(at: path) { return facts.digest }
    return song(at: path)?.digest
  }

  /// The song that a known file belonged to before the merge.
  func song(at path: BytePath) -> Song? { lookups.song(at: path, in: before) }

  /// Every known file of a song, its own first.
  func files(of song: Song) -> [BytePath] { before.files(of: song) }

  func albumFolder(of path: BytePath) -> AlbumFolder { lookups.albumFolder(of: path) }

  // MARK: Songs

  /// A song's group is its album's.
  func group(of song: Song) -> GroupKey { before.albums[song.album]?.group ?? song.group }

  func isTouched(_ song: Song) -> Bool { before.isTouched(song) }

  /// Whether the song's file may be there, where nothing can be read now.
  func isOffline(_ song: Song) -> Bool { !song.isGone && before.away.isOffline(song.path) }

  /// Which file the song has. The store doesn't keep it for songs that are gone.
  func identity(of song: Song) -> FileIdentity? {
    song.isGone ? nil : song.facts?.stamp.identity
  }

  /// Whether the older song may have what the younger one has: nobody has decided anything about
  /// that one yet.
  func isYoungerAndUntouched(_ young: Song, than old: Song) -> Bool {
    young.seen > old.seen && !isTouched(young)
  }

  /// Songs without a file, gone before this merge, that are known by the key.
  func goneSongs(_ key: SongKey) -> [Song] { lookups.goneSongs(key, in: before) }

  /// Songs with known files that are known by the key.
  func songs(_ key: SongKey) -> [Song] { lookups.songs(key, in: before) }

  /// The same; by a stem, which no index has, those whose own file is absent.
  func knownSongs(_ key: SongKey) -> [Song] {
    guard case .stem(let stem) = key else { return songs(key) }
    return absent.files(withStem: stem).compactMap { path in
      song(at: path).flatMap { $0.path == path ? $0 : nil }
    }
  }
}
