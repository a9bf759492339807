import Databases
import Platform

/// A connection to a database that threads take turns with. That the monitor sees to that is what
/// the compiler has to be told.
final class Connection: @unchecked Sendable {
  // Guarded by `turn`; nil once it is closed.
  private var database: Database?
  private let turn = Monitor(())

  init(
    _ path: String?, canWrite: Bool = true, busySeconds: Double, settings: String = ""
  ) throws(DatabaseError) {
    let database = try Database(path, canWrite: canWrite, busySeconds: busySeconds)
    try database.execute(settings)
    self.database = database
  }

  func use<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try turn.withLock { _ in
      guard let database else { throw DatabaseError("the database is closed") }
      return try body(database)
    }
  }

  /// All of it sees the same state of the database.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try use { try $0.transaction(writes: false, body) }
  }

  /// All of it is written, or nothing.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try use { try $0.transaction(writes: true, body) }
  }

  func releaseMemory() {
    turn.withLock { _ in database?.releaseMemory() }
  }

  func close() throws {
    try turn.withLock { _ in
      try database?.close()
      database = nil
    }
  }
}
