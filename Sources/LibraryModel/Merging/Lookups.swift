/// What merging asks of a library and its files, found without walking it. Derived: it can be built
/// anew at any time, and only the one who writes holds it.
package struct Lookups: Sendable {
  /// A readable file that is there, or was when its folder went offline.
  package struct KnownFile: Sendable {
    package var song: SongID
    package var facts: FileFacts?
    var folder: AlbumFolder
    var family: String
  }

  package private(set) var files: [BytePath: KnownFile] = [:]
  /// Files of a song besides its own: the same sound in the same group.
  package private(set) var duplicates: [SongID: [BytePath]] = [:]
  private(set) var folders: [AlbumFolder: [BytePath]] = [:]
  /// How many files of the family each album folder holds.
  private(set) var families: [String: [AlbumFolder: Int]] = [:]
  private(set) var byDigest: [AudioDigest: [SongID]] = [:]
  /// The first path in byte order; the others are in `links`.
  private(set) var byIdentity: [FileIdentity: BytePath] = [:]
  /// Hard links have one identity, and so may a file seen under its old and its new name.
  private(set) var links: [FileIdentity: [BytePath]] = [:]
  private(set) var byRecording: [String: [SongID]] = [:]
  /// By a hash of family, disc, track and title.
  private(set) var byTraits: [Int: [SongID]] = [:]
  private(set) var albumOfGroup: [GroupKey: AlbumID] = [:]
  private let roots: [BytePath]

  /// - Parameter duplicates: known files that no song has as its own, with the song they belong to.
  package init(
    _ library: Library, roots: [BytePath], duplicates: [(BytePath, SongID, FileFacts)] = []
  ) {
    self.roots = roots
    library.songs.forEach { _, song in
      add(song)
      if !song.isGone { addFile(song.path, song, facts: song.facts) }
    }
    for (path, id, facts) in duplicates where files[path] == nil {
      guard let song = library.songs[id] else { continue }
      addFile(path, song, facts: facts)
      self.duplicates[id, default: []].append(path)
      self.duplicates[id]?.sort()
    }
    library.albums.forEach { id, album in albumOfGroup[album.group] = id }
  }

  /// The files that are no song's own, with their songs, as `init` takes them.
  package var duplicateFiles: [(BytePath, SongID, FileFacts)] {
    duplicates.flatMap { id, paths in
      paths.compactMap { path in files[path]?.facts.map { (path, id, $0) } }
    }
  }

  /// The music folder a path lies in; its own directory where none is configured.
  func root(of path: BytePath) -> BytePath {
    roots.first { path.isInside($0) } ?? path.parent
  }

  /// What tells a folder that begins in this music folder from one of the same name in another.
  func edition(of root: BytePath) -> String {
    (roots.firstIndex(of: root) ?? 0) == 0 ? "" : percentEncoded(root.bytes)
  }

  /// The files of songs whose file is not the one it should be since something went offline or
  /// came back: the first that is there.
  package func turned(in library: Library) -> [BytePath] {
    duplicates.keys.sorted().flatMap { id -> [BytePath] in
      guard let song = library.songs[id] else { return [] }
      let files = files(of: song).sorted()
      let first = files.first { !library.away.covers($0) } ?? files.first
      return first == song.path ? [] : files
    }
  }

  func albumFolder(of path: BytePath) -> AlbumFolder {
    AlbumFolder(of: path, root: root(of: path))
  }

  /// Every file of the song, its own first.
  func files(of song: Song) -> [BytePath] {
    let own = files[song.path]?.song == song.id ? [song.path] : []
    return own + (duplicates[song.id] ?? []).filter { $0 != song.path }
  }

  func paths(of identity: FileIdentity) -> [BytePath] {
    (byIdentity[identity].map { [$0] } ?? []) + (links[identity] ?? [])
  }

  static func traitsHash(family: String, disc: Int, track: Int?, title: String) -> Int {
    var hasher = Hasher()
    hasher.combine(family)
    hasher.combine(disc)
    hasher.combine(track)
    hasher.combine(folded(title))
    return hasher.finalize()
  }

  static func recordingKey(_ recording: String, _ release: String) -> String? {
    recording.isEmpty || release.isEmpty ? nil : "\(recording)/\(release)"
  }
}

// MARK: Following changes

extension Lookups {
  /// Follows a library to its next value.
  ///
  /// - Parameters:
  ///   - songs: which songs may differ.
  ///   - albums: which albums may differ.
  ///   - files: which files belong to which song now; nil: no longer known.
  package mutating func follow(
    from old: Library, to new: Library, songs: Set<SongID>, albums: Set<AlbumID>,
    files changed: [BytePath: (song: SongID, facts: FileFacts?)?]
  ) {
    for id in songs {
      if let song = old.songs[id] { remove(song) }
      if let song = new.songs[id] { add(song) }
    }
    for id in albums {
      if let group = old.albums[id]?.group, albumOfGroup[group] == id { albumOfGroup[group] = nil }
    }
    for id in albums {
      if let group = new.albums[id]?.group { albumOfGroup[group] = id }
    }
    var moved: [BytePath: (song: SongID, facts: FileFacts?)] = [:]
    for id in songs {
      guard let song = old.songs[id] else { continue }
      for path in files(of: song) {
        if let file = files[path] { moved[path] = (file.song, file.facts) }
      }
    }
    for (path, file) in changed { moved[path] = file }
    for (path, _) in changed where files[path] != nil { removeFile(path) }
    for path in moved.keys where files[path] != nil { removeFile(path) }
    for (path, file) in moved {
      guard let song = new.songs[file.song] else { continue }
      addFile(path, song, facts: file.facts)
      if path != song.path { duplicates[song.id, default: []].append(path) }
    }
    for id in Set(moved.values.map(\.song)) { duplicates[id]?.sort() }
  }

  private mutating func add(_ song: Song) {
    if let digest = song.digest { byDigest[digest, default: []].insertSorted(song.id) }
    if let key = Lookups.recordingKey(song.recording, song.release) {
      byRecording[key, default: []].insertSorted(song.id)
    }
    byTraits[traitsHash(song), default: []].insertSorted(song.id)
  }

  private mutating func remove(_ song: Song) {
    if let digest = song.digest { byDigest.drop(song.id, at: digest) }
    if let key = Lookups.recordingKey(song.recording, song.release) {
      byRecording.drop(song.id, at: key)
    }
    byTraits.drop(song.id, at: traitsHash(song))
  }

  private func traitsHash(_ song: Song) -> Int {
    Lookups.traitsHash(
      family: song.group.family, disc: song.orderDisc, track: song.track, title: song.title)
  }

  private mutating func addFile(_ path: BytePath, _ song: Song, facts: FileFacts?) {
    let folder = albumFolder(of: path)
    let family = song.group.family
    files[path] = KnownFile(song: song.id, facts: facts, folder: folder, family: family)
    folders[folder, default: []].append(path)
    families[family, default: [:]][folder, default: 0] += 1
    guard let identity = facts?.stamp.identity else { return }
    let first = byIdentity[identity]
    byIdentity[identity] = first.map { min($0, path) } ?? path
    if let first { links[identity, default: []].insertSorted(max(first, path)) }
  }

  private mutating func removeFile(_ path: BytePath) {
    guard let file = files.removeValue(forKey: path) else { return }
    folders.drop(path, at: file.folder)
    if let count = families[file.family]?[file.folder] {
      families[file.family]?[file.folder] = count == 1 ? nil : count - 1
      if families[file.family]?.isEmpty == true { families[file.family] = nil }
    }
    if let identity = file.facts?.stamp.identity {
      if byIdentity[identity] == path {
        byIdentity[identity] = links[identity]?.first
        if let next = byIdentity[identity] { links.drop(next, at: identity) }
      } else {
        links.drop(path, at: identity)
      }
    }
    duplicates.drop(path, at: file.song)
  }
}

extension Dictionary {
  /// Takes one member out of the list at the key, and the list with its last member.
  fileprivate mutating func drop<Item: Equatable>(_ item: Item, at key: Key)
  where Value == [Item] {
    guard let place = self[key]?.firstIndex(of: item) else { return }
    if self[key]?.count == 1 { self[key] = nil } else { self[key]?.remove(at: place) }
  }
}

extension Array where Element: Comparable {
  fileprivate mutating func insertSorted(_ item: Element) {
    let place = firstIndex { $0 >= item } ?? count
    if place < count, self[place] == item { return }
    insert(item, at: place)
  }
}
