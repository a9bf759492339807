import CSQLite

/// A connection by SQLite's C interface, which checks every result. For use by one thread at a
/// time.
package final class Database {
  private let handle: OpaquePointer
  private var isOpen = true
  /// The cached statements by their SQL. The SQL is all ours, so there are few.
  private var statements: [String: Statement] = [:]

  /// - Parameter path: the path of the database; nil for one in memory, which ends with the
  ///   connection.
  package init(_ path: String?, canWrite: Bool, busySeconds: Double) throws(DatabaseError) {
    let mode = canWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    var handle: OpaquePointer?
    let result = sqlite3_open_v2(path ?? ":memory:", &handle, mode | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK, let handle else {
      let error = DatabaseError(result, handle)
      sqlite3_close_v2(handle)
      throw error
    }
    sqlite3_busy_timeout(handle, Int32(busySeconds * 1_000))
    self.handle = handle
  }

  /// Opens a read-only copy of a database's bytes in memory: for untrusted files.
  package init(bytes: [UInt8]) throws(DatabaseError) {
    var handle: OpaquePointer?
    let mode = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
    let result = sqlite3_open_v2(":memory:", &handle, mode, nil)
    guard result == SQLITE_OK, let handle else {
      let error = DatabaseError(result, handle)
      sqlite3_close_v2(handle)
      throw error
    }
    self.handle = handle
    let count = Int64(bytes.count)
    guard let room = sqlite3_malloc64(UInt64(max(1, bytes.count))) else {
      throw DatabaseError(SQLITE_NOMEM, nil)
    }
    bytes.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { room.copyMemory(from: start, byteCount: bytes.count) }
    }
    // SQLite frees the memory in any case.
    let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
    let taken = sqlite3_deserialize(
      handle, "main", room.assumingMemoryBound(to: UInt8.self), count, count, flags)
    guard taken == SQLITE_OK else { throw DatabaseError(taken, handle) }
  }

  deinit {
    // SQLite waits for the statements, which are finalized after this.
    if isOpen { sqlite3_close_v2(handle) }
  }

  /// Closes the connection, which must not be used afterwards. Closing it again does nothing.
  package func close() throws(DatabaseError) {
    guard isOpen else { return }
    statements = [:]
    let result = sqlite3_close(handle)
    guard result == SQLITE_OK else { throw DatabaseError(result, handle) }
    isOpen = false
  }

  /// Runs statements without results, one after the other.
  package func execute(_ sql: String) throws(DatabaseError) {
    let result = sqlite3_exec(handle, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw DatabaseError(result, handle, sql: sql) }
  }

  /// Returns a prepared statement, which is cached for the next time.
  package func statement(_ sql: String) throws(DatabaseError) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try Statement(handle, sql)
    statements[sql] = statement
    return statement
  }

  /// Returns the first column of the first row; nil if there is none.
  package func integer(_ sql: String) throws -> Int? {
    try statement(sql).firstRow { Int($0.integer(0)) }
  }

  package func text(_ sql: String) throws -> String? {
    try statement(sql).firstRow { $0.text(0) }
  }

  /// The number of rows that were written, deleted or replaced since the database was opened.
  package var changesCount: Int { Int(sqlite3_total_changes64(handle)) }

  /// Runs the body in a transaction: all of it takes effect, or nothing.
  package func transaction<Result>(
    writes: Bool, _ body: (Database) throws -> sending Result
  ) throws -> sending Result {
    // One that starts as a reader could find that another connection has written meanwhile.
    try execute(writes ? "BEGIN IMMEDIATE" : "BEGIN DEFERRED")
    do {
      let result = try body(self)
      try execute("COMMIT")
      return result
    } catch {
      // Some errors end the transaction by themselves. A failed rollback adds nothing to the first
      // error.
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// Protects against an untrusted database: its views and triggers may call only harmless
  /// functions, its pages are checked, and a query that takes more steps ends with an error.
  ///
  /// - Parameter steps: the limit in instructions of SQLite's virtual machine, about ten for a
  ///   column of a row.
  package func distrust(steps: Int) throws(DatabaseError) {
    // Sorting in files would need paths.
    try execute(
      "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;"
        + " PRAGMA temp_store = MEMORY")
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longestValue)
    sqlite3_progress_handler(handle, Int32(clamping: steps), { _ in 1 }, nil)
  }

  package func releaseMemory() {
    statements = [:]
    sqlite3_db_release_memory(handle)
  }
}

/// The maximum size of one value in an untrusted database, in bytes. Covers are large.
private let longestValue: Int32 = 64 << 20
