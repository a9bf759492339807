/// The indexes of a library and its files that merges use instead of iterating over it. They are
/// derived and can be rebuilt at any time. Only the writer holds them. They are valid for one value
/// of the library, which has to be passed to every query.
package struct Lookups: Sendable {
  /// The song of each known file in each folder, including files that were there when their folder
  /// went offline.
  private(set) var folders: [AlbumFolder: [SongID]] = [:]
  /// The files, by kind, of folders with at least `manyFiles`, which are too many to iterate over
  /// in each merge.
  private(set) var largeFolders: [AlbumFolder: FolderFiles] = [:]
  /// The number of files of the family in each album folder.
  private(set) var families: [String: FolderCounts] = [:]
  private(set) var albumOfGroup: [GroupKey: AlbumID] = [:]
  /// Songs that have files.
  private(set) var hashes: SongHashes
  /// Gone songs. Stored separately because they are few: most scans match none of them.
  private(set) var goneHashes = SongHashes()
  /// The number of known files outside all music folders.
  private(set) var filesOutside = 0
  private let roots: [BytePath]
  let manyFiles: Int

  /// - Parameters:
  ///   - roots: the music folders. Empty if not known yet.
  ///   - manyFiles: the number of files that makes a folder large. For ordinary albums the index is
  ///     not worth the memory.
  package init(_ library: Library, roots: [BytePath], manyFiles: Int = 1_024) {
    self.roots = roots
    self.manyFiles = manyFiles
    // Path, inode, sound and title of each song, and the recordings of some.
    hashes = SongHashes(reserving: library.songs.count * 4)
    library.songs.forEach { _, song in add(song, of: library) }
    library.albums.forEach { id, album in albumOfGroup[album.group] = id }
  }

  /// Releases spare memory. Called after many songs were added, as in a first scan.
  package mutating func fit() { hashes.fit() }

  var hasGoneSongs: Bool { goneHashes.count > 0 }

  /// Whether songs have files in folders that were removed from the configuration.
  var hasFilesOutside: Bool { filesOutside > 0 }

  /// Returns the music folder of a path, or its own directory if none is configured.
  func root(of path: BytePath) -> BytePath {
    roots.first { path.isInside($0) } ?? path.parent
  }

  /// Returns what distinguishes a folder of this music folder from one of the same name in another.
  func edition(of root: BytePath) -> String {
    (roots.firstIndex(of: root) ?? 0) == 0 ? "" : percentEncoded(root.bytes)
  }

  /// Returns the files of songs whose own file is offline while another one is present.
  package func turned(in library: Library) -> [BytePath] {
    var found: [BytePath] = []
    library.duplicateFiles.forEach { id, _ in
      guard let song = library.songs[id], library.away.covers(song.path) else { return }
      let files = library.files(of: song)
      if !files.allSatisfy(library.away.covers) { found += files }
    }
    return found.sorted()
  }

  /// Returns the files outside all music folders whose sound another song has, too. Such a song may
  /// be a copy that arrived before the folder was removed from the configuration.
  package func left(in library: Library) -> [BytePath] {
    if !hasFilesOutside { return [] }
    var found: [BytePath] = []
    library.songs.forEach { id, song in
      guard !song.isGone, library.away.isOutside(song.path), let digest = song.digest,
        songs(.sound(digest), in: library).contains(where: { $0.id != id })
      else { return }
      found.append(song.path)
    }
    return found.sorted()
  }

  func albumFolder(of path: BytePath) -> AlbumFolder {
    AlbumFolder(of: path, root: root(of: path))
  }

  /// Whether songs without an album tag are an album of this folder, listed or not.
  func hasAlbum(ofFolder folder: AlbumFolder) -> Bool {
    let group = GroupKey(family: GroupKey.folder(folder), edition: edition(of: folder.root))
    return albumOfGroup[group] != nil
  }

  /// Returns the album folders that contain files of the family, in byte order.
  func folders(ofFamily family: String) -> [AlbumFolder] {
    families[family]?.folders.sorted() ?? []
  }

  /// Whether another album folder contains files of the family.
  func hasFolder(ofFamily family: String, besides folder: AlbumFolder) -> Bool {
    families[family]?.hasOther(than: folder) ?? false
  }

  /// Returns the known files in the folder, each with its song.
  func files(in folder: AlbumFolder, _ library: Library) -> [(path: BytePath, song: Song)] {
    var (files, several): ([(path: BytePath, song: Song)], [SongID]) = ([], [])
    let ids = folders[folder] ?? []
    files.reserveCapacity(ids.count)
    for id in ids {
      if library.duplicateFiles[id] != nil {
        several.append(id)
      } else if let song = library.songs[id] {
        files.append((song.path, song))
      }
    }
    return files + self.files(of: several, in: folder, library)
  }

  /// Returns the known files that these songs have in the folder, sorted by song.
  func files(
    of songs: [SongID], in folder: AlbumFolder, _ library: Library
  ) -> [(path: BytePath, song: Song)] {
    Set(songs).sorted().compactMap { library.songs[$0] }.flatMap { song in
      library.files(of: song).filter { albumFolder(of: $0) == folder }.map { ($0, song) }
    }
  }

  /// Returns the known files in the folder by their kinds, from the index or computed.
  func kinds(in folder: AlbumFolder, _ library: Library) -> FolderFiles {
    largeFolders[folder] ?? FolderFiles(folders[folder] ?? [], library)
  }

  // MARK: Files and songs

  /// Returns the song that a known file belongs to.
  package func song(at path: BytePath, in library: Library) -> Song? {
    for id in hashes[SongKey.path(path).songHash] {
      guard let song = library.songs[id] else { continue }
      if Self.has(song, path, in: library) { return song }
    }
    return nil
  }

  private static func has(_ song: Song, _ path: BytePath, in library: Library) -> Bool {
    song.path == path || library.duplicateFile(of: song.id, at: path) != nil
  }

  /// Returns the songs with known files that match the key.
  func songs(_ key: SongKey, in library: Library) -> [Song] {
    hashes[key.songHash].compactMap { library.songs[$0] }.filter {
      !$0.isGone && has($0, key, library)
    }
  }

  /// Returns the gone songs that match the key: a sound, a recording, tags or a stem.
  func goneSongs(_ key: SongKey, in library: Library) -> [Song] {
    goneHashes[key.songHash].compactMap { library.songs[$0] }.filter {
      $0.isGone && has($0, key, library)
    }
  }

  private func has(_ song: Song, _ key: SongKey, _ library: Library) -> Bool {
    switch key {
    case .path(let path): Self.has(song, path, in: library)
    case .stem(let stem): song.path.withoutExtension == stem
    // Hard links have the same identity, and so may a file that is seen under its old and its new
    // name.
    case .identity(let identity):
      library.files(of: song).contains {
        library.facts(of: song, at: $0)?.stamp.identity == identity
      }
    case .sound(let digest): song.digest == digest
    case .recording: song.recordingKey == key
    case .traits: song.titleKey == key
    }
  }

  /// Returns the keys by which a song without a file is searched for.
  static func goneKeys(of song: Song) -> [SongKey] {
    keys(of: song) + [.stem(song.path.withoutExtension)]
  }

  private static func keys(of song: Song) -> [SongKey] {
    [song.digest.map(SongKey.sound), song.recordingKey, song.titleKey].compactMap { $0 }
  }
}

extension Song {
  fileprivate var recordingKey: SongKey? { .recording(recording, release) }

  fileprivate var titleKey: SongKey {
    .title(family: group.family, disc: orderDisc, track: track, title: title)
  }
}

/// Folders with a number of files each. Most families have one.
struct FolderCounts: Equatable, Sendable {
  private var first: (folder: AlbumFolder, count: Int)?
  private var others: [AlbumFolder: Int] = [:]

  var isEmpty: Bool { first == nil && others.isEmpty }

  var folders: [AlbumFolder] { (first.map { [$0.folder] } ?? []) + others.keys }

  func hasOther(than folder: AlbumFolder) -> Bool {
    if let first, first.folder != folder { return true }
    return others.keys.contains { $0 != folder }
  }

  mutating func add(_ count: Int, _ folder: AlbumFolder) {
    if first == nil, others[folder] == nil { first = (folder, 0) }
    if first?.folder == folder {
      first?.count += count
      if first?.count == 0 { first = nil }
    } else {
      let sum = others[folder, default: 0] + count
      others[folder] = sum == 0 ? nil : sum
    }
  }

  static func == (left: FolderCounts, right: FolderCounts) -> Bool { left.all == right.all }

  private var all: [AlbumFolder: Int] {
    var all = others
    if let first { all[first.folder] = first.count }
    return all
  }
}

// MARK: - Following changes

extension Lookups {
  /// Updates the lookups for the library's next value.
  ///
  /// - Parameters:
  ///   - songs: the songs that may have changed, or whose files may have.
  ///   - albums: the albums that may have changed.
  package mutating func follow(
    from old: Library, to new: Library, songs: Set<SongID>, albums: Set<AlbumID>
  ) {
    for id in albums {
      if let group = old.albums[id]?.group, albumOfGroup[group] == id { albumOfGroup[group] = nil }
    }
    for id in albums {
      if let group = new.albums[id]?.group { albumOfGroup[group] = id }
    }
    for id in songs { if let song = old.songs[id] { remove(song, of: old) } }
    for id in songs { if let song = new.songs[id] { add(song, of: new) } }
  }

  private mutating func add(_ song: Song, of library: Library) {
    if song.isGone {
      for key in Self.goneKeys(of: song) { goneHashes.insert(song.id, at: key.songHash) }
    } else {
      for key in Self.keys(of: song) { hashes.insert(song.id, at: key.songHash) }
    }
    for path in library.files(of: song) {
      addFile(path, song, of: library)
    }
  }

  /// - Parameter song: unchanged since it was added.
  private mutating func remove(_ song: Song, of library: Library) {
    if song.isGone {
      for key in Self.goneKeys(of: song) { goneHashes.remove(song.id, at: key.songHash) }
    } else {
      for key in Self.keys(of: song) { hashes.remove(song.id, at: key.songHash) }
    }
    for path in library.files(of: song) {
      removeFile(path, song, of: library)
    }
  }

  private func isOutside(_ path: BytePath) -> Bool {
    !roots.isEmpty && !roots.contains { path.isInside($0) }
  }

  /// Returns nil if the identity is not reliable. It is not indexed then: on a drive that gives all
  /// files the same identity, each lookup would take as many steps as there are files.
  private static func identityKey(_ facts: FileFacts?) -> SongKey? {
    guard let identity = facts?.stamp.identity, identity.tellsFile else { return nil }
    return .identity(identity)
  }

  private mutating func addFile(_ path: BytePath, _ song: Song, of library: Library) {
    let facts = library.facts(of: song, at: path)
    if isOutside(path) { filesOutside += 1 }
    hashes.insert(song.id, at: SongKey.path(path).songHash)
    if let key = Self.identityKey(facts) { hashes.insert(song.id, at: key.songHash) }
    let folder = albumFolder(of: path)
    folders[folder, default: []].append(song.id)
    addToLarge(folder, song, of: library)
    families[song.group.family, default: FolderCounts()].add(1, folder)
  }

  private mutating func removeFile(_ path: BytePath, _ song: Song, of library: Library) {
    let facts = library.facts(of: song, at: path)
    if isOutside(path) { filesOutside -= 1 }
    hashes.remove(song.id, at: SongKey.path(path).songHash)
    if let key = Self.identityKey(facts) { hashes.remove(song.id, at: key.songHash) }
    let folder = albumFolder(of: path)
    if let place = folders[folder]?.firstIndex(of: song.id) { folders[folder]?.remove(at: place) }
    if folders[folder]?.isEmpty == true { folders[folder] = nil }
    removeFromLarge(folder, song, of: library)
    families[song.group.family]?.add(-1, folder)
    if families[song.group.family]?.isEmpty == true { families[song.group.family] = nil }
  }
  private mutating func addToLarge(
    _ folder: AlbumFolder, _ song: Song, of library: Library
  ) {
    let ids = folders[folder] ?? []
    if ids.count < manyFiles { return }
    if largeFolders[folder] == nil {
      largeFolders[folder] = FolderFiles(ids, library)
    } else {
      largeFolders[folder]?.add(song, of: library)
    }
  }

  private mutating func removeFromLarge(
    _ folder: AlbumFolder, _ song: Song, of library: Library
  ) {
    if largeFolders[folder] == nil { return }
    if folders[folder]?.count ?? 0 < manyFiles {
      largeFolders[folder] = nil
    } else {
      largeFolders[folder]?.remove(song, of: library)
    }
  }
}
