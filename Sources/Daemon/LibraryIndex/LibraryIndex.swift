import Databases
import Glibc
package import LibraryModel
import Synchronization

/// A database with three copies: the facts that were read of the files, so that a restart reads
/// only changed ones; the words to search; and the user's order, for other programs. It is derived
/// data: on any doubt it is set aside and built anew. One connection writes.
package final class LibraryIndex: Sendable {
  /// Changes that are written in one transaction.
  package struct Batch: Sendable {
    package var files: [IndexedFile] = []
    package var removed: [BytePath] = []
    /// The library whose order is written; nil: the order stays as it is.
    package var library: Library?
    /// The albums whose songs, or their order or state, may differ from the library written last.
    package var albums: Set<AlbumID> = []

    package init() {}

    package var isEmpty: Bool {
      files.isEmpty && removed.isEmpty && library == nil
    }

    /// Whether writing it takes much memory: more than a handful of albums.
    package var isLarge: Bool { files.count > 1_000 || albums.count > 100 }
  }

  /// The time that a write waits for another program that has locked the file, in seconds.
  static let busySeconds = 5.0

  private let connection: IndexConnection
  /// The connection of searches, which never wait for a write. Opened by the first search.
  private let searching = Mutex<IndexConnection?>(nil)
  private let path: String
  /// The file that was opened.
  private let file: OpenedFile?
  private let order = Mutex(KnownOrder.unknown)

  /// The fingerprint and the sequence number of the library with which the index was closed. Nil if
  /// it wasn't closed cleanly, or was written to since.
  private let closedWith: (fingerprint: UInt64, sequence: Int)?

  /// The knowledge of the order in the tables.
  private enum KnownOrder {
    case unknown
    /// Order and words are those of the library whose number is in the tables.
    case isCurrent
    case cached(IndexedOrder)

    var isUnknown: Bool { if case .unknown = self { true } else { false } }

    var order: IndexedOrder? { if case .cached(let order) = self { order } else { nil } }
  }

  /// - Parameter path: the path of the file; empty for an index in memory.
  init(
    _ connection: IndexConnection, path: String,
    closedWith: (fingerprint: UInt64, sequence: Int)? = nil
  ) {
    self.connection = connection
    self.path = path
    self.closedWith = closedWith
    file = OpenedFile(path)
  }

  /// Whether the path still names the file that was opened.
  package var isInPlace: Bool { file != nil && OpenedFile(path) == file }

  /// Makes an index in memory, for searches while there is no file.
  ///
  /// - Throws: a `DatabaseError` if SQLite has no memory.
  package static func inMemory(_ library: Library) throws -> LibraryIndex {
    let connection = try IndexConnection(nil, busySeconds: busySeconds)
    try connection.write { try IndexSchema.create($0) }
    let index = LibraryIndex(connection, path: "")
    index.searching.withLock { $0 = connection }
    try index.rebuild(from: library)
    return index
  }

  /// Writes the order and the words of the library, comparing all of it with the tables.
  ///
  /// - Throws: as `write` does.
  package func rebuild(from library: Library) throws {
    order.withLock { $0 = .unknown }
    var batch = Batch()
    batch.library = library
    try write(batch)
  }

  static func forEachFile(_ database: Database, _ each: (IndexedFile) -> Void) throws {
    try database.statement("SELECT path, song, facts FROM file").forEachRow {
      each(try IndexedFile($0))
    }
  }

  /// Returns all files, in the order of their paths.
  ///
  /// - Throws: a `DatabaseError` if a row is damaged, or the index closed.
  package func files() throws -> [IndexedFile] {
    var files: [IndexedFile] = []
    try connection.read { database in try Self.forEachFile(database) { files.append($0) } }
    return files
  }

  /// Returns whether order and words are those of the library, so that the first write need not
  /// compare them. Has to be called before anything is written; linear in the library.
  package func isCurrent(_ library: Library) -> Bool {
    guard let closedWith, closedWith.sequence == library.sequence,
      closedWith.fingerprint == library.fingerprint
    else { return false }
    order.withLock { $0 = .isCurrent }
    return true
  }

  /// Checks the integrity of the whole file, unless it is unchanged since it was closed. A large
  /// file takes a second or so.
  ///
  /// - Throws: a `DatabaseError` if the file is damaged. The index is closed and set aside then.
  package func check() throws {
    if closedWith != nil { return }
    do {
      try connection.read { database in
        let check = try database.text("PRAGMA quick_check(1)")
        guard check == "ok" else { throw DatabaseError(check ?? "the check failed") }
      }
    } catch {
      try? close()
      if (error as? DatabaseError)?.isBusy != true, isInPlace { Self.setAside(path) }
      throw error
    }
  }

  /// Returns the number of the library that was written last; 0 if there is none.
  ///
  /// - Throws: a `DatabaseError` if the file is damaged, or the index closed.
  package func sequence() throws -> Int {
    try connection.read { try Self.sequence($0) }
  }

  static func sequence(_ database: Database) throws -> Int {
    try database.integer("SELECT sequence FROM library") ?? 0
  }

  /// Writes a batch in one transaction.
  ///
  /// - Returns: whether so much was written that `giveBackMemory` is worth calling.
  /// - Throws: a `DatabaseError` if the disk is full, another program keeps the file locked for 5
  ///   seconds, or the index is closed. Nothing of the batch is on the disk then, and the next
  ///   batch with a library compares all of it.
  @discardableResult
  package func write(_ batch: Batch) throws -> Bool {
    try order.withLock { order in
      let known = order
      // It stays unknown if this fails.
      order = .unknown
      let isLarge = batch.isLarge || (batch.library != nil && known.isUnknown)
      order = try connection.write { database in
        try write(batch, database)
        guard let library = batch.library else { return known }
        var next = try known.order ?? IndexedOrder(reading: database)
        let albums = known.isUnknown ? nil : batch.albums
        let removed = try next.update(
          to: library, albums: albums, database)
        try SearchTables(database).update(
          to: library, albums: albums, removed: removed)
        try database.statement("UPDATE library SET sequence = ?").run(.integer(library.sequence))
        return .cached(next)
      }
      return isLarge
    }
  }

  /// Frees SQLite's page cache and statements; they are loaded again when they are needed.
  package func giveBackMemory() {
    connection.releaseMemory()
  }

  private func write(_ batch: Batch, _ database: Database) throws {
    let insert = try database.statement(
      "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    // In the order of the table: SQLite touches each page once.
    for file in batch.files.sorted(by: { $0.path < $1.path }) { try insert.run(file.values) }
    let remove = try database.statement("DELETE FROM file WHERE path = ?")
    for path in batch.removed { try remove.run(.bytes(path.bytes)) }
  }

  /// Searches what has been written.
  ///
  /// - Parameters:
  ///   - library: the library that the result is of; what it doesn't list is left out.
  ///   - places: the places of its albums, by which equally good results are ordered.
  ///   - crate: the crate to search; nil: all.
  ///   - limit: the most albums, and the most songs, to return. All are counted.
  /// - Throws: a `DatabaseError` if the file is damaged, or can't be opened for searches.
  package func search(
    _ query: SearchQuery, in library: Library, _ places: AlbumPlaces, crate: CrateID? = nil,
    limit: Int
  ) throws -> SearchResult {
    let connection = try searching.withLock { searching in
      let connection = try searching ?? connectForSearches()
      searching = connection
      return connection
    }
    return try connection.read { database in
      try LibrarySearch(
        query: query, library: library, places: places, crate: crate, limit: limit,
        database: database
      ).run()
    }
  }

  private func connectForSearches() throws -> IndexConnection {
    try IndexConnection(
      path, canWrite: false, busySeconds: Self.busySeconds, settings: "PRAGMA mmap_size = 0")
  }

  /// Closes the file. Afterwards every other function throws.
  ///
  /// - Parameter library: the library that was written, if nothing is missing in the index: the
  ///   next start trusts it then (`ClosingStamp`).
  /// - Throws: a `DatabaseError`; the next start checks the file then.
  package func close(with library: Library? = nil) throws {
    try searching.withLock { searching in
      if let other = searching, other !== connection { try other.close() }
      searching = nil
    }
    let isMine = isInPlace
    try connection.close()
    guard isMine, let library else { return }
    ClosingStamp(of: path, library: library.fingerprint)?.write(besideIndex: path)
  }
}
