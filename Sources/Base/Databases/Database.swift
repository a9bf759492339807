import CSQLite

/// SQLite's interface in C as Swift values, with every result looked at. Of one thread at a time.
package final class Database {
  private let handle: OpaquePointer
  private var isOpen = true
  /// By their words. Those are ours, so that there are few.
  private var statements: [String: Statement] = [:]

  /// - Parameter path: nil: a database in memory, which ends with the value.
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

  /// A copy of a database's bytes in memory, which nothing changes: for strangers' files.
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
    // SQLite frees the room in any case.
    let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
    let taken = sqlite3_deserialize(
      handle, "main", room.assumingMemoryBound(to: UInt8.self), count, count, flags)
    guard taken == SQLITE_OK else { throw DatabaseError(taken, handle) }
  }

  deinit {
    // SQLite waits for the statements, which end after this.
    if isOpen { sqlite3_close_v2(handle) }
  }

  /// Nothing is to be asked of it after; to close it again does nothing.
  package func close() throws(DatabaseError) {
    guard isOpen else { return }
    statements = [:]
    let result = sqlite3_close(handle)
    guard result == SQLITE_OK else { throw DatabaseError(result, handle) }
    isOpen = false
  }

  /// Runs statements, one after the other, that say nothing.
  package func execute(_ sql: String) throws(DatabaseError) {
    let result = sqlite3_exec(handle, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw DatabaseError(result, handle, sql: sql) }
  }

  /// One statement, which is kept for the next time.
  package func statement(_ sql: String) throws(DatabaseError) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try Statement(handle, sql)
    statements[sql] = statement
    return statement
  }

  /// The first column of the first row; nil where there is none.
  package func integer(_ sql: String) throws -> Int? {
    try statement(sql).firstRow { Int($0.integer(0)) }
  }

  package func text(_ sql: String) throws -> String? {
    try statement(sql).firstRow { $0.text(0) }
  }

  /// Rows that were written, deleted or replaced since it was opened.
  package var changesCount: Int { Int(sqlite3_total_changes64(handle)) }

  /// All of the body or nothing.
  package func transaction<Result>(
    writes: Bool, _ body: (Database) throws -> sending Result
  ) throws -> sending Result {
    // One that begins as a reader could find that somebody else has written meanwhile.
    try execute(writes ? "BEGIN IMMEDIATE" : "BEGIN DEFERRED")
    do {
      let result = try body(self)
      try execute("COMMIT")
      return result
    } catch {
      // Some errors end it by themselves. What is left undone is told by the error above.
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// Has a stranger's database do nothing but be read: its views and triggers may call no function
  /// that does more, its pages are checked, and what takes longer than the steps ends with an
  /// error.
  ///
  /// - Parameter steps: of SQLite's machine, about ten for a column of a row.
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

/// Bytes of one value of a stranger's database. Covers have many.
private let longestValue: Int32 = 64 << 20
