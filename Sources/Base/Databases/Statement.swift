import CSQLite

/// A value that is bound to a `?` of a statement.
package enum DatabaseValue {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])

  package static func integer(_ number: Int) -> DatabaseValue { .integer(Int64(number)) }
  package static func integer(_ number: Int?) -> DatabaseValue {
    number.map { .integer($0) } ?? .null
  }
}

/// A prepared statement that can be run repeatedly. Like its connection, for one thread at a time.
package final class Statement {
  private let handle: OpaquePointer
  private let sql: String

  /// - Parameter database: the handle of the connection, which must outlive the statement.
  init(_ database: OpaquePointer, _ sql: String) throws(DatabaseError) {
    var handle: OpaquePointer?
    let result = sqlite3_prepare_v3(
      database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard result == SQLITE_OK else { throw DatabaseError(result, database, sql: sql) }
    guard let handle else { preconditionFailure("a statement has words") }
    self.handle = handle
    self.sql = sql
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Runs the statement to its end, and ignores its rows.
  package func run(_ values: DatabaseValue...) throws(DatabaseError) {
    try run(values)
  }

  package func run(_ values: [DatabaseValue]) throws(DatabaseError) {
    try start(values)
    defer { end() }
    while try step() {}
  }

  /// Calls the body with each row. The body must not run the same statement.
  package func forEachRow(
    _ values: DatabaseValue..., body: (borrowing Row) throws -> Void
  ) throws {
    try start(values)
    defer { end() }
    while try step() { try body(Row(statement: handle)) }
  }

  /// Returns the results of the body for each row.
  package func rows<Element>(
    _ values: DatabaseValue..., body: (borrowing Row) throws -> Element
  ) throws -> [Element] {
    try rows(values, body: body)
  }

  package func rows<Element>(
    _ values: [DatabaseValue], body: (borrowing Row) throws -> Element
  ) throws -> [Element] {
    try start(values)
    defer { end() }
    var elements: [Element] = []
    while try step() { elements.append(try body(Row(statement: handle))) }
    return elements
  }

  /// Returns the result of the body for the first row; nil if there is none.
  package func firstRow<Element>(
    _ values: DatabaseValue..., body: (borrowing Row) throws -> Element
  ) throws -> Element? {
    try start(values)
    defer { end() }
    return try step() ? try body(Row(statement: handle)) : nil
  }

  private func start(_ values: [DatabaseValue]) throws(DatabaseError) {
    precondition(sqlite3_stmt_busy(handle) == 0, "a statement is run once at a time")
    precondition(
      values.count == sqlite3_bind_parameter_count(handle), "each ? of a statement gets a value")
    for (place, value) in values.enumerated() {
      let result = bind(value, Int32(place + 1))
      guard result == SQLITE_OK else { throw error(result) }
    }
  }

  private func bind(_ value: DatabaseValue, _ place: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, place)
    case .integer(let number): return sqlite3_bind_int64(handle, place, number)
    case .text(let text):
      // The text may contain a NUL, so its length is passed.
      let count = UInt64(text.utf8.count)
      return text.withCString {
        sqlite3_bind_text64(handle, place, $0, count, copied, UInt8(SQLITE_UTF8))
      }
    case .bytes(let bytes):
      // Empty bytes may have no address, which would be bound as NULL.
      if bytes.isEmpty { return sqlite3_bind_zeroblob(handle, place, 0) }
      return bytes.withUnsafeBytes {
        sqlite3_bind_blob64(handle, place, $0.baseAddress, UInt64($0.count), copied)
      }
    }
  }

  /// Returns whether there is another row.
  private func step() throws(DatabaseError) -> Bool {
    let result = sqlite3_step(handle)
    switch result {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw error(result)
    }
  }

  /// Resets the statement. The result of the call is ignored: it repeats the error of `step`.
  private func end() { sqlite3_reset(handle) }

  private func error(_ result: Int32) -> DatabaseError {
    DatabaseError(result, sqlite3_db_handle(handle), sql: sql)
  }
}

/// SQLITE_TRANSIENT, a cast that Swift doesn't import: SQLite copies the value.
private var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

/// The current row of a statement, valid until the next one.
package struct Row: ~Copyable {
  fileprivate let statement: OpaquePointer

  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  package func text(_ column: Int32) -> String {
    withBytes(column, sqlite3_column_text(statement, column)) {
      String(decoding: $0, as: UTF8.self)
    }
  }

  package func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { [UInt8]($0) } }

  package func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result)
    -> Result
  {
    withBytes(column, sqlite3_column_blob(statement, column), body)
  }

  /// - Parameter start: must be evaluated before the size, since it may make SQLite convert the
  ///   value.
  private func withBytes<Result>(
    _ column: Int32, _ start: UnsafeRawPointer?, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let count = start == nil ? 0 : Int(sqlite3_column_bytes(statement, column))
    return body(UnsafeRawBufferPointer(start: start, count: count))
  }

  package var columns: Range<Int32> { 0..<sqlite3_column_count(statement) }
}
