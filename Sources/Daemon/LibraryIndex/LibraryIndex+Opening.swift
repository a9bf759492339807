import Databases
import Glibc
import LibraryModel

extension LibraryIndex {
  /// An index that was opened.
  package struct Opened {
    package var index: LibraryIndex
    /// Files that a killed daemon had read but not written (`UnwrittenFiles`), to be written now.
    package var unwritten: [IndexedFile]
    /// Why an old index was set aside, as a sentence; nil if none was.
    package var note: String?
  }

  /// Opens the index, or creates it. An index that can't be used (damaged, of another version, of
  /// another program, or newer than the store) is renamed to `….damaged`, and a new one is created.
  ///
  /// - Parameters:
  ///   - newest: the sequence number of the store, asked for after the files were read. An index
  ///     with a later one is not that of this store.
  ///   - each: called with every file once, in no order. If the result has a note, the files were
  ///     those of the index that was set aside, and have to be ignored.
  /// - Throws: a `DatabaseError` if another program keeps the index locked for 5 seconds, or if no
  ///   index can be created. Nothing is set aside then.
  package static func open(
    at path: String, newest: @autoclosure () -> Int, each: (IndexedFile) -> Void = { _ in }
  ) throws -> Opened {
    let isThere = OpenedFile(path) != nil
    do {
      return try connect(path, newest, each)
    } catch {
      // Locked by another program: it is whole, and the next start uses it.
      if (error as? DatabaseError)?.isBusy == true { throw error }
      guard isThere else { throw error }
      setAside(path)
      var opened = try connect(path, newest, each)
      opened.note = "the index could not be used (\(error)) and is built anew"
      return opened
    }
  }

  /// Renames the index and its logs to `….damaged`, over what was set aside before.
  static func setAside(_ path: String) {
    for ending in ["", "-wal", "-shm"] {
      unlink(path + ".damaged" + ending)
      rename(path + ending, path + ".damaged" + ending)
    }
  }

  private static func connect(
    _ path: String, _ newest: () -> Int, _ each: (IndexedFile) -> Void
  ) throws -> Opened {
    let closedWith = ClosingStamp.consume(of: path)
    let connection = try IndexConnection(
      path, busySeconds: busySeconds,
      settings: """
        PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA mmap_size = 0;
        PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 4194304
        """)
    return try connection.write { database in
      let version = try database.integer("PRAGMA user_version") ?? 0
      let unwritten = UnwrittenFiles.read(besideIndex: path)
      // First, since `newest` may block longer than this takes.
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

/// The identity of an open file, to detect that another one took its place.
struct OpenedFile: Equatable {
  var device: dev_t
  var inode: ino_t

  init?(_ path: String) {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    (device, inode) = (found.st_dev, found.st_ino)
  }
}
