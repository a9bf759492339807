import Databases
import TestSupport
import Testing

@testable import LibraryIndex

@Suite("A connection to SQLite", .limited)
struct DatabaseTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("data.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func connect(busySeconds: Double = 5) throws -> Connection {
    try Connection(path, busySeconds: busySeconds, settings: "PRAGMA journal_mode = WAL")
  }

  private func makeTable(_ connection: Connection) throws {
    try connection.write {
      try $0.execute("CREATE TABLE t (number INTEGER, text TEXT, bytes BLOB)")
    }
  }

  private func error(_ body: () throws -> Void) throws -> DatabaseError {
    try #require(#expect(throws: DatabaseError.self, performing: body))
  }

  @Test("gives back what it was given, empty, long, and with NULs inside")
  func values() throws {
    let connection = try connect()
    try makeTable(connection)
    let texts = ["", "é", "a\u{0}b", String(repeating: "🎵", count: 10_000)]
    let bytes: [[UInt8]] = [[], [0], [0xFF, 0, 0xFE], [UInt8](repeating: 7, count: 100_000)]
    let numbers: [Int64] = [.min, -1, 0, .max]
    try connection.write { database in
      let insert = try database.statement("INSERT INTO t VALUES (?, ?, ?)")
      for ((number, text), bytes) in zip(zip(numbers, texts), bytes) {
        try insert.run(.integer(number), .text(text), .bytes(bytes))
      }
      try insert.run(.null, .null, .null)
    }
    try connection.read { database in
      let read = try database.statement("SELECT * FROM t")
      let rows = try read.rows { row in
        (row.integer(0), row.text(1), row.bytes(2), row.isNull(0), row.isNull(1), row.isNull(2))
      }
      try #require(rows.count == 5)
      for (row, place) in zip(rows.dropLast(), 0...) {
        #expect(row.0 == numbers[place] && !row.3)
        #expect(row.1.utf8.elementsEqual(texts[place].utf8) && !row.4)
        #expect(row.2 == bytes[place] && !row.5)
      }
      #expect(rows[4] == (0, "", [], true, true, true))
    }
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

  @Test("runs a statement again after it failed, or was left before its last row")
  func again() throws {
    struct Stop: Error {}
    let connection = try connect()
    try connection.write { database in
      try database.execute("CREATE TABLE t (number INTEGER UNIQUE)")
      let insert = try database.statement("INSERT INTO t VALUES (?)")
      try insert.run(.integer(1))
      #expect(throws: DatabaseError.self) { try insert.run(.integer(1)) }
      try insert.run(.integer(2))
      let read = try database.statement("SELECT number FROM t ORDER BY number")
      #expect(try read.firstRow { $0.integer(0) } == 1)
      #expect(throws: Stop.self) { try read.forEachRow { _ in throw Stop() } }
      #expect(try read.rows { $0.integer(0) } == [1, 2])
      #expect(try database.statement("SELECT 1 WHERE 0").firstRow { $0.integer(0) } == nil)
    }
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
      _ = try Connection(
        folder.path("other.sqlite"), busySeconds: 0, settings: "PRAGMA journal_mode = WAL")
    }
    #expect(!none.isBusy && none.code == 26)
    let missing = try error {
      _ = try Connection(folder.path("nowhere/at/all"), busySeconds: 0)
    }
    #expect(!missing.isBusy && missing.code == 14)
  }

  @Test("that only reads writes nothing, and none answers once it is closed")
  func closed() throws {
    let connection = try connect()
    try makeTable(connection)
    let reading = try Connection(path, canWrite: false, busySeconds: 5)
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
