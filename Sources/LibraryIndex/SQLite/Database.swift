import CSQLite

/// SQLite's interface in C as Swift values, with every result looked at. Of one thread at a time:
/// `Connection` sees to that.
final class Database {
  private let handle: OpaquePointer
  private var isOpen = true
  /// By their words. Those are ours, so that there are few.
  private var statements: [String: Statement] = [:]

  /// - Parameter path: nil: a database in memory, which ends with the value.
  init(_ path: String?, canWrite: Bool, busySeconds: Double) throws(DatabaseError) {
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

  deinit {
    statements = [:]
    if isOpen { sqlite3_close_v2(handle) }
  }

  /// Nothing is to be asked of it after.
  func close() throws(DatabaseError) {
    statements = [:]
    let result = sqlite3_close(handle)
    guard result == SQLITE_OK else { throw DatabaseError(result, handle) }
    isOpen = false
  }

  /// Runs statements, one after the other, that say nothing.
  func execute(_ sql: String) throws(DatabaseError) {
    let result = sqlite3_exec(handle, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw DatabaseError(result, handle, sql: sql) }
  }

  /// One statement, which is kept for the next time.
  func statement(_ sql: String) throws(DatabaseError) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try Statement(handle, sql)
    statements[sql] = statement
    return statement
  }

  /// The first column of the first row; nil where there is none.
  func integer(_ sql: String) throws -> Int? {
    try statement(sql).firstRow { Int($0.integer(0)) }
  }

  func text(_ sql: String) throws -> String? {
    try statement(sql).firstRow { $0.text(0) }
  }

  /// Rows that were written, deleted or replaced since it was opened.
  var changesCount: Int { Int(sqlite3_total_changes64(handle)) }

  /// All of the body or nothing.
  func transaction<Result>(
    writes: Bool, _ body: (Database) throws -> Result
  ) throws -> Result {
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

  func releaseMemory() {
    statements = [:]
    sqlite3_db_release_memory(handle)
  }
}
