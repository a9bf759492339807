import Databases
import TestSupport
import Testing

@testable import LibraryIndex

@Suite("A connection to SQLite", .limited)
struct ConnectionTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("data.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func connect(busySeconds: Double = 5) throws -> IndexConnection {
    try IndexConnection(path, busySeconds: busySeconds, settings: "PRAGMA journal_mode = WAL")
  }

  private func makeTable(_ connection: IndexConnection) throws {
    try connection.write {
      try $0.execute("CREATE TABLE t (number INTEGER, text TEXT, bytes BLOB)")
    }
  }

  private func error(_ body: () throws -> Void) throws -> DatabaseError {
    try #require(#expect(throws: DatabaseError.self, performing: body))
  }

  @Test("keeps nothing of a write that fails, and goes on after it")
  func rollback() throws {
    struct Stop: Error {}
    let connection = try connect()
    try makeTable(connection)
    #expect(throws: Stop.self) {
      try connection.write { database in
        try database.execute("INSERT INTO t VALUES (1, '', '')")
        throw Stop()
      }
    }
    let failed = try error {
      try connection.write { database in
        try database.execute("INSERT INTO t VALUES (1, '', '')")
        try database.execute("INSERT INTO nowhere VALUES (1)")
      }
    }
    #expect("\(failed)".contains("no such table: nowhere"))
    #expect("\(failed)".contains("INSERT INTO nowhere VALUES (1)"))
    #expect(try connection.read { try $0.integer("SELECT count(*) FROM t") } == 0)
    try connection.write { try $0.execute("INSERT INTO t VALUES (1, '', '')") }
    #expect(try connection.read { try $0.integer("SELECT count(*) FROM t") } == 1)
  }

  @Test("tells that another program has the file from that it is full, or no database")
  func kinds() throws {
    let connection = try connect(busySeconds: 0)
    try makeTable(connection)
    let other = try connect(busySeconds: 0)
    try other.write { _ in
      let busy = try error { try connection.write { _ in } }
      #expect(busy.isBusy)
      // Who only reads need not wait.
      #expect(try connection.read { try $0.integer("SELECT count(*) FROM t") } == 0)
    }
    try connection.use { try $0.execute("PRAGMA max_page_count = 1") }
    let full = try error {
      try connection.write { database in
        try database.statement("INSERT INTO t VALUES (1, '', ?)")
          .run(.bytes([UInt8](repeating: 1, count: 100_000)))
      }
    }
    #expect(!full.isBusy && full.code == 13)
    let text = [UInt8](String(repeating: "this is no database ", count: 10).utf8)
    _ = try folder.write(text, to: "other.sqlite")
    let none = try error {
      _ = try IndexConnection(
        folder.path("other.sqlite"), busySeconds: 0, settings: "PRAGMA journal_mode = WAL")
    }
    #expect(!none.isBusy && none.code == 26)
    let missing = try error {
      _ = try IndexConnection(folder.path("nowhere/at/all"), busySeconds: 0)
    }
    #expect(!missing.isBusy && missing.code == 14)
  }

  @Test("that only reads writes nothing, and none answers once it is closed")
  func closed() throws {
    let connection = try connect()
    try makeTable(connection)
    let reading = try IndexConnection(path, canWrite: false, busySeconds: 5)
    #expect(try error { try reading.write { try $0.execute("DELETE FROM t") } }.code == 8)
    try reading.close()
    connection.releaseMemory()
    #expect(try connection.read { try $0.integer("SELECT count(*) FROM t") } == 0)
    try connection.close()
    try connection.close()
    connection.releaseMemory()
    #expect(try error { try connection.use { _ in } }.message.contains("closed"))
    // The last one takes the log into the file.
    #expect(try names(in: folder.path) == ["data.sqlite"])
  }
}
