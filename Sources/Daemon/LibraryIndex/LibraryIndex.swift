import Databases
import Glibc
package import LibraryModel
import Synchronization

/// The SQLite copy of what files say, so that a restart reads only files that changed, and of the
/// person's order, for other programs. Derived: on any doubt it is set aside and built anew. One
/// connection writes.
package final class LibraryIndex: Sendable {
  /// What changes in the index together.
  package struct Batch: Sendable {
    package var files: [IndexedFile] = []
    package var removed: [BytePath] = []
    /// What the order is brought to; nil: it stays that of the library written last.
    package var library: Library?
    /// Whose songs, their order or their state may differ from the library written last.
    package var albums: Set<AlbumID> = []

    package init() {}

    package var isEmpty: Bool {
      files.isEmpty && removed.isEmpty && library == nil
    }

    /// More than a handful of albums.
    package var isLarge: Bool { files.count > 1_000 || albums.count > 100 }
  }

  /// How long another program may hold the file before a write is given up.
  static let busySeconds = 5.0

  private let connection: IndexConnection
  /// For searches, so that none waits for a write; opened with the first one.
  private let searching = Mutex<IndexConnection?>(nil)
  private let path: String
  /// Which file was opened.
  private let file: OpenedFile?
  private let order = Mutex(KnownOrder.nothing)

  /// The library that was in it when it was closed: its fingerprint and its number. Nil if that is
  /// not known, or somebody has written to it since.
  private let closedWith: (fingerprint: UInt64, sequence: Int)?

  /// What is known of the order in the tables.
  private enum KnownOrder {
    case nothing
    /// The order is that of the library with the number that the tables bear, and so are the words.
    case isCurrent
    case read(IndexedOrder)

    var isNothing: Bool { if case .nothing = self { true } else { false } }

    var order: IndexedOrder? { if case .read(let order) = self { order } else { nil } }
  }

  /// - Parameter path: of its file; empty for one in memory.
  init(
    _ connection: IndexConnection, path: String,
    closedWith: (fingerprint: UInt64, sequence: Int)? = nil
  ) {
    self.connection = connection
    self.path = path
    self.closedWith = closedWith
    file = OpenedFile(path)
  }

  /// Whether the file that is written is still the one that others find.
  package var isInPlace: Bool { file != nil && OpenedFile(path) == file }

  /// An index of the library that lasts as long as the value, for searches while there is no file.
  package static func inMemory(_ library: Library) throws -> LibraryIndex {
    let connection = try IndexConnection(nil, busySeconds: busySeconds)
    try connection.write { try IndexSchema.create($0) }
    let index = LibraryIndex(connection, path: "")
    index.searching.withLock { $0 = connection }
    try index.follow(library)
    return index
  }

  /// Brings the order and the words to the library, whatever it was before.
  package func follow(_ library: Library) throws {
    order.withLock { $0 = .nothing }
    var batch = Batch()
    batch.library = library
    try write(batch)
  }

  static func forEachFile(_ database: Database, _ each: (IndexedFile) -> Void) throws {
    try database.statement("SELECT path, song, facts FROM file").forEachRow {
      each(try IndexedFile($0))
    }
  }

  /// All files, in the order of their paths.
  package func files() throws -> [IndexedFile] {
    var files: [IndexedFile] = []
    try connection.read { database in try Self.forEachFile(database) { files.append($0) } }
    return files
  }

  /// Whether the order and the words in it are those of the library, so that they need not be
  /// compared. To be asked before anything is written; takes a look at the whole library.
  package func isCurrent(_ library: Library) -> Bool {
    guard let closedWith, closedWith.sequence == library.sequence,
      closedWith.fingerprint == library.fingerprint
    else { return false }
    order.withLock { $0 = .isCurrent }
    return true
  }

  /// Looks through the whole file, which takes a second or so where it is large, if anybody may
  /// have written to it.
  ///
  /// - Throws: where it is damaged. It has been closed and set aside then.
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

  package func sequence() throws -> Int {
    try connection.read { try Self.sequence($0) }
  }

  static func sequence(_ database: Database) throws -> Int {
    try database.integer("SELECT sequence FROM library") ?? 0
  }

  /// Brings the index up to date, all of the batch or nothing.
  ///
  /// - Returns: whether so much was written that `giveBackMemory` is worth it.
  @discardableResult
  package func write(_ batch: Batch) throws -> Bool {
    try order.withLock { order in
      let known = order
      // Stays if this fails.
      order = .nothing
      let isLarge = batch.isLarge || (batch.library != nil && known.isNothing)
      order = try connection.write { database in
        try write(batch, database)
        guard let library = batch.library else { return known }
        var next = try known.order ?? IndexedOrder(reading: database)
        let albums = known.isNothing ? nil : batch.albums
        let removed = try next.follow(library, albums: albums, database)
        try SearchTables(database).follow(library, albums: albums, removed: removed)
        try database.statement("UPDATE library SET sequence = ?").run(.integer(library.sequence))
        return .read(next)
      }
      return isLarge
    }
  }

  /// Gives back memory for when there is nothing to do; pages come again when they are asked for.
  package func giveBackMemory() {
    connection.releaseMemory()
  }

  private func write(_ batch: Batch, _ database: Database) throws {
    let insert = try database.statement(
      "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    // In the order of the table, which SQLite likes best.
    for file in batch.files.sorted(by: { $0.path < $1.path }) { try insert.run(file.values) }
    let remove = try database.statement("DELETE FROM file WHERE path = ?")
    for path in batch.removed { try remove.run(.bytes(path.bytes)) }
  }

  /// What of the library matches, as far as it has been written.
  ///
  /// - Parameters:
  ///   - places: those in the library.
  ///   - crate: the one in which is searched; nil: all.
  ///   - limit: of albums, and of songs.
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

  /// Closes the file; nothing is read or written after.
  ///
  /// - Parameter library: what was written to it, if that is all that it should know.
  package func close(with library: Library? = nil) throws {
    try searching.withLock { searching in
      if let other = searching, other !== connection { try other.close() }
      searching = nil
    }
    let isMine = isInPlace
    try connection.close()
    guard isMine, let library else { return }
    ClosingStamp(of: path, library: library.fingerprint)?.leave(at: path)
  }
}
