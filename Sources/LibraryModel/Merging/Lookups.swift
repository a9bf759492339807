/// What merging asks of a library and its files, found without walking it. Derived: it can be built
/// anew at any time, and only the one who writes holds it. It goes with one value of the library,
/// which has to be given to whatever is asked of it.
package struct Lookups: Sendable {
  /// A file of a song besides its own: the same sound in the same group.
  package struct DuplicateFile: Hashable, Sendable {
    package var path: BytePath
    package var facts: FileFacts?
  }

  /// In byte order of their paths.
  package private(set) var duplicates: [SongID: [DuplicateFile]] = [:]
  /// The song of each known file in them: files that are there, or were when their folder went
  /// offline.
  private(set) var folders: [AlbumFolder: [SongID]] = [:]
  /// How many files of the family each album folder holds.
  private(set) var families: [String: FolderCounts] = [:]
  private(set) var albumOfGroup: [GroupKey: AlbumID] = [:]
  /// Songs that have files.
  private(set) var hashes: SongHashes
  /// Songs that are gone. Apart, since most looks find nothing that could be one of few.
  private(set) var goneHashes = SongHashes()
  /// How many known files lie in no music folder.
  private(set) var filesOutside = 0
  private let roots: [BytePath]

  /// - Parameters:
  ///   - roots: the music folders. Empty: not known yet.
  ///   - duplicates: known files that no song has as its own, with the song they belong to. What
  ///     lies in no music folder is none.
  package init(
    _ library: Library, roots: [BytePath], duplicates: [(BytePath, SongID, FileFacts)] = []
  ) {
    self.roots = roots
    // Path, inode, sound and title, and the recordings of some.
    hashes = SongHashes(reserving: library.songs.count * 4)
    library.songs.forEach { _, song in
      add(song)
      if !song.isGone { addFile(song.path, song, facts: song.facts) }
    }
    for (path, id, facts) in duplicates {
      guard let song = library.songs[id], !isOutside(path), self.song(at: path, in: library) == nil
      else { continue }
      self.duplicates[id, default: []].append(DuplicateFile(path: path, facts: facts))
      self.duplicates[id]?.sort { $0.path < $1.path }
      addFile(path, song, facts: facts)
    }
    library.albums.forEach { id, album in albumOfGroup[album.group] = id }
  }

  /// To be called when much has come, as in a first scan: gives spare room up.
  package mutating func fit() { hashes.fit() }

  var hasGoneSongs: Bool { goneHashes.count > 0 }

  /// Whether songs have files in folders that left the configuration.
  var hasFilesOutside: Bool { filesOutside > 0 }

  /// The files that are no song's own, with their songs, as `init` takes them.
  package var duplicateFiles: [(BytePath, SongID, FileFacts)] {
    duplicates.flatMap { id, files in
      files.compactMap { file in file.facts.map { (file.path, id, $0) } }
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

  /// The files of songs whose own file is offline while another one is there.
  package func turned(in library: Library) -> [BytePath] {
    duplicates.keys.sorted().flatMap { id -> [BytePath] in
      guard let song = library.songs[id], library.away.covers(song.path) else { return [] }
      let files = files(of: song).sorted()
      return files.allSatisfy(library.away.covers) ? [] : files
    }
  }

  func albumFolder(of path: BytePath) -> AlbumFolder {
    AlbumFolder(of: path, root: root(of: path))
  }

  /// The album folders that hold files of the family, in byte order.
  func folders(ofFamily family: String) -> [AlbumFolder] {
    families[family]?.folders.sorted() ?? []
  }

  /// The known files in the folder.
  func files(in folder: AlbumFolder, _ library: Library) -> [BytePath] {
    var (paths, several): ([BytePath], Set<SongID>) = ([], [])
    for id in folders[folder] ?? [] {
      if duplicates[id] != nil {
        several.insert(id)
      } else if let song = library.songs[id] {
        paths.append(song.path)
      }
    }
    // In no order of a hash table.
    let files = several.sorted().flatMap { id in library.songs[id].map { self.files(of: $0) } ?? []
    }
    return paths + files.filter { albumFolder(of: $0) == folder }
  }

  // MARK: Files and songs

  /// The song that a known file belongs to.
  package func song(at path: BytePath, in library: Library) -> Song? {
    for id in hashes[SongKey.path(path).songHash] {
      guard let song = library.songs[id] else { continue }
      if song.path == path || duplicate(path, of: id) != nil { return song }
    }
    return nil
  }

  /// What is known of a known file of the song.
  func facts(of song: Song, at path: BytePath) -> FileFacts? {
    if let other = duplicate(path, of: song.id) { return other.facts }
    return song.path == path ? song.facts : nil
  }

  /// Every file of the song, its own first.
  func files(of song: Song) -> [BytePath] {
    let isKnown = hashes[SongKey.path(song.path).songHash].contains(song.id)
    let others = duplicates[song.id]?.lazy.map(\.path).filter { $0 != song.path }
    return (isKnown ? [song.path] : []) + (others.map(Array.init) ?? [])
  }

  private func duplicate(_ path: BytePath, of id: SongID) -> DuplicateFile? {
    duplicates[id]?.first { $0.path == path }
  }

  /// The songs with known files that are known by the key.
  func songs(_ key: SongKey, in library: Library) -> [Song] {
    hashes[key.songHash].compactMap { library.songs[$0] }.filter { !$0.isGone && has($0, key) }
  }

  /// The gone songs that are known by the key: sound, recording, tags or stem.
  func goneSongs(_ key: SongKey, in library: Library) -> [Song] {
    goneHashes[key.songHash].compactMap { library.songs[$0] }.filter { $0.isGone && has($0, key) }
  }

  private func has(_ song: Song, _ key: SongKey) -> Bool {
    switch key {
    case .path(let path): song.path == path || duplicate(path, of: song.id) != nil
    case .stem(let stem): song.path.withoutExtension == stem
    // Hard links have one identity, and so may a file seen under its old and its new name.
    case .identity(let identity):
      files(of: song).contains { facts(of: song, at: $0)?.stamp.identity == identity }
    case .sound(let digest): song.digest == digest
    case .recording: song.recordingKey == key
    case .traits: song.titleKey == key
    }
  }

  /// What a song without a file is looked for by.
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
    for id in albums {
      if let group = old.albums[id]?.group, albumOfGroup[group] == id { albumOfGroup[group] = nil }
    }
    for id in albums {
      if let group = new.albums[id]?.group { albumOfGroup[group] = id }
    }
    var files: [BytePath: (song: SongID, facts: FileFacts?)] = [:]
    for id in songs {
      guard let song = old.songs[id] else { continue }
      for path in self.files(of: song) { files[path] = (id, facts(of: song, at: path)) }
    }
    for (path, file) in changed { files[path] = file }
    // As they were, all of them, before any is as it will be.
    for path in Set(files.keys).union(changed.keys) {
      if let song = song(at: path, in: old) { removeFile(path, song) }
    }
    for id in songs { if let song = old.songs[id] { remove(song) } }
    for id in songs { if let song = new.songs[id] { add(song) } }
    for (path, file) in files {
      guard let song = new.songs[file.song] else { continue }
      if path != song.path {
        duplicates[song.id, default: []].append(DuplicateFile(path: path, facts: file.facts))
      }
      addFile(path, song, facts: path == song.path ? song.facts : file.facts)
    }
    for id in Set(files.values.map(\.song)) { duplicates[id]?.sort { $0.path < $1.path } }
  }

  private mutating func add(_ song: Song) {
    if song.isGone {
      for key in Self.goneKeys(of: song) { goneHashes.insert(song.id, at: key.songHash) }
    } else {
      for key in Self.keys(of: song) { hashes.insert(song.id, at: key.songHash) }
    }
  }

  private mutating func remove(_ song: Song) {
    if song.isGone {
      for key in Self.goneKeys(of: song) { goneHashes.remove(song.id, at: key.songHash) }
    } else {
      for key in Self.keys(of: song) { hashes.remove(song.id, at: key.songHash) }
    }
  }

  private func isOutside(_ path: BytePath) -> Bool {
    !roots.isEmpty && !roots.contains { path.isInside($0) }
  }

  private mutating func addFile(_ path: BytePath, _ song: Song, facts: FileFacts?) {
    if isOutside(path) { filesOutside += 1 }
    hashes.insert(song.id, at: SongKey.path(path).songHash)
    if let facts { hashes.insert(song.id, at: SongKey.identity(facts.stamp.identity).songHash) }
    let folder = albumFolder(of: path)
    folders[folder, default: []].append(song.id)
    families[song.group.family, default: FolderCounts()].add(1, folder)
  }

  /// - Parameter song: as it was when the file was added.
  private mutating func removeFile(_ path: BytePath, _ song: Song) {
    if isOutside(path) { filesOutside -= 1 }
    hashes.remove(song.id, at: SongKey.path(path).songHash)
    if let facts = facts(of: song, at: path) {
      hashes.remove(song.id, at: SongKey.identity(facts.stamp.identity).songHash)
    }
    let folder = albumFolder(of: path)
    if let place = folders[folder]?.firstIndex(of: song.id) { folders[folder]?.remove(at: place) }
    if folders[folder]?.isEmpty == true { folders[folder] = nil }
    families[song.group.family]?.add(-1, folder)
    if families[song.group.family]?.isEmpty == true { families[song.group.family] = nil }
    if let place = duplicates[song.id]?.firstIndex(where: { $0.path == path }) {
      duplicates[song.id]?.remove(at: place)
      if duplicates[song.id]?.isEmpty == true { duplicates[song.id] = nil }
    }
  }
}
