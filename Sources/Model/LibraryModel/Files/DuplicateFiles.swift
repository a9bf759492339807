/// A duplicate of a song's file: another file with the same sound in the same group.
package struct DuplicateFile: Hashable, Sendable {
  package var path: BytePath
  package var facts: FileFacts?

  package init(path: BytePath, facts: FileFacts?) {
    self.path = path
    self.facts = facts
  }
}

/// The owner of a file after a merge.
package enum FileOwner: Sendable {
  case song(SongID, facts: FileFacts?)
  /// The file is no longer known.
  case noSong

  package var song: SongID? { if case .song(let id, _) = self { id } else { nil } }
}

extension Library {
  /// Returns every known file of the song: its own first, then the duplicates in byte order. A gone
  /// song has no file of its own.
  package func files(of song: Song) -> [BytePath] {
    let others = duplicateFiles[song.id]?.map(\.path) ?? []
    return song.isGone ? others : [song.path] + others
  }

  package func facts(of song: Song, at path: BytePath) -> FileFacts? {
    if let other = duplicateFile(of: song.id, at: path) { return other.facts }
    return song.path == path ? song.facts : nil
  }

  func duplicateFile(of id: SongID, at path: BytePath) -> DuplicateFile? {
    duplicateFiles[id]?.first { $0.path == path }
  }

  /// Calls the body for every duplicate with its song.
  package func forEachDuplicateFile(_ body: (DuplicateFile, Song) -> Void) {
    duplicateFiles.forEach { id, files in
      guard let song = songs[id] else { return }
      for file in files { body(file, song) }
    }
  }

  /// Adds the duplicates that the index has stored. A file that is some song's own file is skipped:
  /// the index may predate an exchange of file names.
  ///
  /// - Returns: the paths that are other songs' own files.
  package mutating func attach(_ files: [(song: SongID, file: DuplicateFile)]) -> [BytePath] {
    if files.isEmpty { return [] }
    let asked = Set(files.map(\.file.path))
    var owners: [BytePath: SongID] = [:]
    songs.forEach { id, song in
      if !song.isGone, asked.contains(song.path) { owners[song.path] = id }
    }
    var found: [SongID: [DuplicateFile]] = [:]
    for (id, file) in files where owners[file.path] == nil {
      found[id, default: []].append(file)
    }
    for (id, files) in found where songs[id] != nil { setDuplicateFiles(files, of: id) }
    return files.compactMap { id, file in
      owners[file.path].map { $0 != id } == true ? file.path : nil
    }
  }

  /// Drops the duplicates outside all music folders. Only songs are remembered there.
  package mutating func dropDuplicateFilesOutside() {
    var kept: [SongID: [DuplicateFile]] = [:]
    forEachDuplicateFile { file, song in
      if away.isOutside(file.path) {
        kept[song.id] =
          kept[song.id] ?? duplicateFiles[song.id]?.filter { !away.isOutside($0.path) }
      }
    }
    for (id, files) in kept { setDuplicateFiles(files, of: id) }
  }

  /// Updates the duplicates with the file owners of a merge.
  ///
  /// - Parameters:
  ///   - ids: the songs that have duplicates, or may have.
  ///   - before: the library before the merge.
  mutating func follow(
    _ changed: [BytePath: FileOwner], of ids: Set<SongID>, from before: Library
  ) {
    var files: [BytePath: FileOwner] = [:]
    for song in ids.compactMap({ before.songs[$0] }) {
      for path in before.files(of: song) {
        files[path] = .song(song.id, facts: before.facts(of: song, at: path))
      }
    }
    files.merge(changed) { _, new in new }
    var others: [SongID: [DuplicateFile]] = [:]
    for case (let path, .song(let id, let facts)) in files {
      if songs[id].map({ $0.path != path }) ?? false {
        others[id, default: []].append(DuplicateFile(path: path, facts: facts))
      }
    }
    for id in ids where others[id] != nil || duplicateFiles[id] != nil {
      setDuplicateFiles(others[id] ?? [], of: id)
    }
  }
}
