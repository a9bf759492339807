extension Merge {
  /// The state of the music folders that merges keep from one to the next, apart from the library.
  /// The caller passes it to each merge, and replaces it by the merge's outcome once that is
  /// durable. A merge that is retried thus sees the same state.
  ///
  /// Bounded by the known files and albums of the folders.
  package struct Memory: Sendable {
    private var folders: [BytePath: Folder] = [:]
    /// The albums that a first scan has put on top so far.
    var fresh: FreshAlbums?

    /// - Parameter leaving: the albums that songs had left in each folder when the last run ended.
    package init(leaving: [BytePath: Set<AlbumID>] = [:]) {
      for (root, albums) in leaving { self[root].leaving = albums }
    }

    subscript(root: BytePath) -> Folder {
      get { folders[root] ?? Folder() }
      set { folders[root] = newValue.isEmpty ? nil : newValue }
    }

    /// Returns the albums that songs left while other files of theirs were waited for. Whether such
    /// an album is handed over is decided when the wait is over, also after a restart.
    package func leaving(in root: BytePath) -> Set<AlbumID> { self[root].leaving }

    /// Returns the number of files of the folder that are waited for.
    package func absentCount(in root: BytePath) -> Int { self[root].absent.count }

    /// Updates the absent files from a scan whose other contents can't be merged.
    package mutating func follow(_ contents: FolderContents) {
      self[contents.root].absent.follow(contents)
    }

    /// - Parameter sequence: the library's sequence, with the merge's changes in it.
    package mutating func follow(to sequence: Int) { fresh?.sequence = sequence }

    /// Forgets the absent files of a folder whose watcher ended. The next watcher starts over.
    package mutating func forgetAbsent(in root: BytePath) { self[root].absent = AbsentFiles() }

    /// Forgets the absent files of folders that were removed from the configuration.
    package mutating func forgetAbsent(besides roots: [BytePath]) {
      for root in folders.keys where !roots.contains(root) { forgetAbsent(in: root) }
    }
  }
}

extension Merge.Memory {
  /// The state of one music folder.
  struct Folder: Sendable {
    var absent = AbsentFiles()
    var leaving: Set<AlbumID> = []

    var isEmpty: Bool { absent.isEmpty && leaving.isEmpty }
  }
}

/// Known files that are missing at the moment and may still appear elsewhere.
struct AbsentFiles: Sendable {
  /// Indexed by the path without the extension, so that a song is found by the file that it was
  /// converted to. It shares storage with the previous value, of which a merge changes little.
  private var byStem = SharedMap<BytePath, [BytePath]>()
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  func contains(_ path: BytePath) -> Bool {
    count > 0 && byStem[path.withoutExtension]?.contains(path) == true
  }

  /// Returns the files with this path without the extension.
  func files(withStem stem: BytePath) -> [BytePath] { count > 0 ? byStem[stem] ?? [] : [] }

  /// Updates the files from a scan.
  mutating func follow(_ contents: FolderContents) {
    for path in contents.absent { insert(path) }
    for path in contents.returned { remove(path) }
    for path in contents.vanished { remove(path) }
    for file in contents.found { remove(file.path) }
  }

  mutating func insert(_ path: BytePath) {
    let stem = path.withoutExtension
    let files = byStem[stem] ?? []
    if files.contains(path) { return }
    byStem[stem] = files + [path]
    count += 1
  }

  mutating func remove(_ path: BytePath) {
    if !contains(path) { return }
    let stem = path.withoutExtension
    let rest = (byStem[stem] ?? []).filter { $0 != path }
    byStem[stem] = rest.isEmpty ? nil : rest
    count -= 1
  }
}
