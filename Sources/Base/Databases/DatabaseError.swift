import CSQLite

/// What SQLite refused, or what is wrong with what it gave.
package struct DatabaseError: Error, CustomStringConvertible {
  /// SQLite's number for the kind of error; none where it is ours.
  package let code: Int32?
  package let message: String

  /// Another program has the file, and kept it for longer than we wait.
  package var isBusy: Bool { code == SQLITE_BUSY }

  /// The file is no database, or not what it should be.
  package var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }

  /// Whether it took longer than it may.
  package var isInterrupted: Bool { code == SQLITE_INTERRUPT }

  /// What is in the file is not known.
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

  /// - Parameter handle: of the connection that it happened to, which knows more.
  init(_ result: Int32, _ handle: OpaquePointer?, sql: String? = nil) {
    // The bits above say more than anybody asks for.
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
