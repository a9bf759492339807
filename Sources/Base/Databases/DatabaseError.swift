import CSQLite

/// An error of SQLite, or an error in what a database contains.
package struct DatabaseError: Error, CustomStringConvertible {
  /// SQLite's code for the kind of error; nil if the error is ours.
  package let code: Int32?
  package let message: String

  /// Whether another program has locked the file for longer than the busy timeout.
  package var isBusy: Bool { code == SQLITE_BUSY }

  /// Whether the file is no database, or is damaged.
  package var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }

  /// Whether the query took more steps than allowed.
  package var isInterrupted: Bool { code == SQLITE_INTERRUPT }

  /// Whether the file could not be read, so that its contents are unknown.
  package var isUnreadable: Bool {
    code.map {
      [SQLITE_CANTOPEN, SQLITE_BUSY, SQLITE_IOERR, SQLITE_PERM, SQLITE_AUTH].contains($0)
    }
      ?? false
  }

  package init(_ message: String) {
    code = nil
    self.message = message
  }

  /// - Parameter handle: the connection with the error, which has its message.
  init(_ result: Int32, _ handle: OpaquePointer?, sql: String? = nil) {
    // The upper bits are details that no caller needs.
    code = result & 0xFF
    let words = handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(result)
    var message = words.map { String(cString: $0) } ?? "unknown"
    if let sql { message += ", in “\(sql)”" }
    self.message = message
  }

  package var description: String {
    code.map { "SQLite error \($0): \(message)" } ?? message
  }
}
