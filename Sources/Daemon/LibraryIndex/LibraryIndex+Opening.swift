import Databases
import Glibc
import LibraryModel

extension LibraryIndex {
  /// What was found where an index was opened.
  package struct Opened {
    package var index: LibraryIndex
    /// What a daemon that was killed had yet to write (`UnwrittenFiles`): to be written now.
    package var unwritten: [IndexedFile]
    /// A sentence on why an old index had to be set aside, where it had.
    package var note: String?
  }

  /// Opens the index. One that can't be used is renamed to `….damaged` and a new one begun.
  ///
  /// - Parameters:
  ///   - newest: the sequence number of the store, asked for when all files were given. An index
  ///     that knows a later one is not that of this store.
  ///   - each: given every file once, in no order. If the index was set aside, what was given
  ///     before means nothing.
  package static func open(
    at path: String, newest: @autoclosure () -> Int, each: (IndexedFile) -> Void = { _ in }
  ) throws -> Opened {
    let isThere = OpenedFile(path) != nil
    do {
      return try connect(path, newest, each)
    } catch {
      // Another program has it open: it is whole, and used again at the next start.
      if (error as? DatabaseError)?.isBusy == true { throw error }
      guard isThere else { throw error }
      setAside(path)
      var opened = try connect(path, newest, each)
      opened.note = "the index could not be used (\(error)) and is built anew"
      return opened
    }
  }

  static func setAside(_ path: String) {
    for ending in ["", "-wal", "-shm"] {
      unlink(path + ".damaged" + ending)
      rename(path + ending, path + ".damaged" + ending)
    }
  }

  private static func connect(
    _ path: String, _ newest: () -> Int, _ each: (IndexedFile) -> Void
  ) throws -> Opened {
    let closedWith = ClosingStamp.take(from: path)
    let connection = try IndexConnection(
      path, busySeconds: busySeconds,
      settings: """
        PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA mmap_size = 0;
        PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 4194304
        """)
    return try connection.write { database in
      let version = try database.integer("PRAGMA user_version") ?? 0
      let unwritten = UnwrittenFiles.read(besideIndex: path)
      // Whoever asks for the newest number may wait for it longer than this takes.
      for file in unwritten.files { each(file) }
      if version == 0, try database.integer("SELECT count(*) FROM sqlite_master") == 0 {
        try IndexSchema.create(database)
        return Opened(index: LibraryIndex(connection, path: path), unwritten: unwritten.files)
      }
      guard version == IndexSchema.version else {
        throw DatabaseError("version \(version) instead of \(IndexSchema.version)")
      }
      let sequence = try Self.sequence(database)
      try forEachFile(database) { if !unwritten.contains($0.path) { each($0) } }
      let newest = newest()
      guard sequence <= newest else {
        throw DatabaseError("it knows change \(sequence), the store \(newest)")
      }
      let index = LibraryIndex(
        connection, path: path, closedWith: closedWith.map { ($0, sequence) })
      return Opened(index: index, unwritten: unwritten.files)
    }
  }
}

/// What tells a file from another one in its place.
struct OpenedFile: Equatable {
  var device: dev_t
  var inode: ino_t

  init?(_ path: String) {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    (device, inode) = (found.st_dev, found.st_ino)
  }
}
