import Databases
import Synchronization

/// A connection to a database that several threads may use, one at a time.
///
/// Its functions throw a `DatabaseError` if SQLite fails or the connection is closed, and what
/// their closures throw.
final class IndexConnection: Sendable {
  /// Nil once it is closed.
  private let database: Mutex<Database?>

  init(
    _ path: String?, canWrite: Bool = true, busySeconds: Double, settings: String = ""
  ) throws(DatabaseError) {
    let database = try Database(path, canWrite: canWrite, busySeconds: busySeconds)
    try database.execute(settings)
    self.database = Mutex(database)
  }

  func use<Result>(_ body: (Database) throws -> sending Result) throws -> sending Result {
    try database.withLock { database in
      guard let database else { throw DatabaseError("the database is closed") }
      return try body(database)
    }
  }

  /// Runs reads that all see the same state of the database.
  func read<Result>(_ body: (Database) throws -> sending Result) throws -> sending Result {
    try use { try $0.transaction(writes: false, body) }
  }

  /// Runs writes in one transaction, which is rolled back if the closure throws.
  func write<Result>(_ body: (Database) throws -> sending Result) throws -> sending Result {
    try use { try $0.transaction(writes: true, body) }
  }

  func releaseMemory() {
    database.withLock { $0?.releaseMemory() }
  }

  func close() throws {
    try database.withLock { database in
      try database?.close()
      database = nil
    }
  }
}
