import Glibc
import TestSupport
import Testing

@testable import Databases

@Suite("SQLite as Swift values", .limited)
struct DatabaseTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("data.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func memory() throws -> Database { try Database(nil, canWrite: true, busySeconds: 0) }

  private func error(
    _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) throws -> DatabaseError {
    try #require(#expect(throws: DatabaseError.self, sourceLocation: location, performing: body))
  }

  @Test("What was given comes back, empty, long, and with NULs inside")
  func values() throws {
    let database = try memory()
    try database.execute("CREATE TABLE t (number INTEGER, text TEXT, bytes BLOB)")
    let texts = ["", "é", "a\u{0}b", String(repeating: "🎵", count: 10_000)]
    let bytes: [[UInt8]] = [[], [0], [0xFF, 0, 0xFE], [UInt8](repeating: 7, count: 100_000)]
    let numbers: [Int64] = [.min, -1, 0, .max]
    let insert = try database.statement("INSERT INTO t VALUES (?, ?, ?)")
    for ((number, text), bytes) in zip(zip(numbers, texts), bytes) {
      try insert.run(.integer(number), .text(text), .bytes(bytes))
    }
    try insert.run(.null, .null, .null)
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
    #expect(try read.firstRow { Array($0.columns) } == [0, 1, 2])
    #expect(database.changesCount == 5)
    let none: Int? = nil
    try insert.run([.integer(none), .integer(7), .integer(none)])
    let last = try database.statement("SELECT number, text FROM t WHERE rowid = ?")
    #expect(
      try last.rows(.integer(6)) { ($0.isNull(0), $0.integer(1)) }.first ?? (false, 0) == (true, 7))
  }

  @Test("A statement is run again after it failed, or was left before its last row")
  func again() throws {
    struct Stop: Error {}
    let database = try memory()
    try database.execute("CREATE TABLE t (number INTEGER UNIQUE)")
    let insert = try database.statement("INSERT INTO t VALUES (?)")
    #expect(try database.statement("INSERT INTO t VALUES (?)") === insert)
    try insert.run(.integer(1))
    #expect(throws: DatabaseError.self) { try insert.run(.integer(1)) }
    try insert.run(.integer(2))
    let read = try database.statement("SELECT number FROM t ORDER BY number")
    #expect(try read.firstRow { $0.integer(0) } == 1)
    #expect(throws: Stop.self) { try read.forEachRow { _ in throw Stop() } }
    #expect(try read.rows { $0.integer(0) } == [1, 2])
    #expect(try database.integer("SELECT 1 WHERE 0") == nil)
    #expect(try database.integer("SELECT count(*) FROM t") == 2)
    #expect(try database.text("SELECT 'x' WHERE 0") == nil)
    #expect(try database.text("SELECT 'é'") == "é")
    database.releaseMemory()
    #expect(try database.statement("INSERT INTO t VALUES (?)") !== insert)
  }

  @Test("What is asked with values is asked anew with each, however the rows are taken")
  func asking() throws {
    let database = try memory()
    try database.execute("CREATE TABLE t (number INTEGER); INSERT INTO t VALUES (1), (2), (3)")
    let read = try database.statement("SELECT number FROM t WHERE number >= ? ORDER BY number")
    let ways: [(Int64) throws -> [Int64]] = [
      { try read.rows(.integer($0)) { $0.integer(0) } },
      { try read.rows([.integer($0)]) { $0.integer(0) } },
      { try read.firstRow(.integer($0)) { [$0.integer(0)] } ?? [] },
      { least in
        var found: [Int64] = []
        try read.forEachRow(.integer(least)) { found.append($0.integer(0)) }
        return found
      },
    ]
    // What a statement was given before it would keep.
    for (number, way) in ways.enumerated() {
      for least in [2, 3, 1, 4] as [Int64] {
        let expected = Array([1, 2, 3].drop { $0 < least })
        #expect(try way(least) == (number == 2 ? Array(expected.prefix(1)) : expected))
      }
    }
    let delete = try database.statement("DELETE FROM t WHERE number = ?")
    for number in [2, 3] as [Int64] {
      try delete.run(.integer(number))
      #expect(try read.rows(.integer(number)) { $0.integer(0) } == (number == 2 ? [3] : []))
    }
  }

  @Test("A transaction is all or nothing, and the next one begins")
  func transactions() throws {
    struct Stop: Error {}
    let database = try memory()
    try database.execute("CREATE TABLE t (number INTEGER)")
    #expect(throws: Stop.self) {
      try database.transaction(writes: true) { database in
        try database.execute("INSERT INTO t VALUES (1)")
        throw Stop()
      }
    }
    let failed = try error {
      try database.transaction(writes: true) { database in
        try database.execute("INSERT INTO t VALUES (1)")
        try database.execute("INSERT INTO nowhere VALUES (1)")
      }
    }
    #expect(
      "\(failed)" == "SQLite error 1: no such table: nowhere, in “INSERT INTO nowhere VALUES (1)”")
    #expect(try database.integer("SELECT count(*) FROM t") == 0)
    let count = try database.transaction(writes: true) { database in
      try database.execute("INSERT INTO t VALUES (1)")
      return try database.integer("SELECT count(*) FROM t")
    }
    #expect(count == 1)
    #expect(try database.transaction(writes: false) { try $0.integer("SELECT 4") } == 4)
    // It is ended by the error itself.
    let full = try error {
      try database.transaction(writes: true) { database in
        try database.execute("INSERT OR ROLLBACK INTO t SELECT x FROM (SELECT 1 AS x)")
        try database.execute("ROLLBACK")
        throw DatabaseError("over")
      }
    }
    #expect(full.message == "over" && full.code == nil && "\(full)" == "over")
    #expect(!full.isUnreadable && !full.isBusy && !full.isDamage && !full.isInterrupted)
    #expect(try database.integer("SELECT count(*) FROM t") == 1)
  }

  @Test("Who writes keeps others from writing, and who only reads writes nothing")
  func others() throws {
    let one = try Database(path, canWrite: true, busySeconds: 0)
    try one.execute("CREATE TABLE t (number INTEGER)")
    let two = try Database(path, canWrite: true, busySeconds: 0.01)
    try one.transaction(writes: true) { _ in
      let busy = try error { try two.transaction(writes: true) { _ in } }
      #expect(busy.isBusy && busy.isUnreadable && !busy.isDamage && !busy.isInterrupted)
      // Who only reads need not wait.
      #expect(try two.transaction(writes: false) { try $0.integer("SELECT count(*) FROM t") } == 0)
    }
    let reading = try Database(path, canWrite: false, busySeconds: 0)
    #expect(try error { try reading.execute("DELETE FROM t") }.code == 8)
    try two.close()
    let missing = try error { _ = try Database(folder.path("x/y"), canWrite: true, busySeconds: 0) }
    #expect(missing.isUnreadable && missing.code == 14)
    #expect(
      try error {
        _ = try Database(folder.path("none"), canWrite: false, busySeconds: 0)
      }.isUnreadable)
  }

  @Test("A database is closed with all its statements, when nobody has it or before that")
  func closing() throws {
    func use(_ database: Database) throws {
      try database.execute("CREATE TABLE IF NOT EXISTS t (number INTEGER)")
      #expect(try database.integer("SELECT count(*) FROM t") == 0)
    }
    // By its end: the path may lead over links.
    let end = path.split(separator: "/").suffix(2).joined(separator: "/")
    func isHeld() throws -> Bool {
      try names(in: "/proc/self/fd").contains { name in
        var room = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/fd/\(name)", &room, room.count)
        let bytes = room.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self).hasSuffix(end)
      }
    }
    do {
      let database = try Database(path, canWrite: true, busySeconds: 0)
      try use(database)
      #expect(try isHeld())
    }
    #expect(try !isHeld())
    let other = try Database(path, canWrite: true, busySeconds: 0)
    try use(other)
    try other.close()
    #expect(try !isHeld())
    try other.close()
    #expect(try Database(path, canWrite: false, busySeconds: 0).integer("SELECT 7") == 7)
  }

  @Test("It waits for as long as it is told to, in thousandths of a second")
  func patience() throws {
    for (seconds, expected) in [(0, 0), (0.25, 250), (30, 30_000)] {
      let database = try Database(path, canWrite: true, busySeconds: seconds)
      #expect(try database.integer("PRAGMA busy_timeout") == expected)
    }
  }

  @Test("The bytes of a database are read as one, and never written")
  func bytes() throws {
    let one = try Database(path, canWrite: true, busySeconds: 0)
    try one.execute("CREATE TABLE t (number INTEGER); INSERT INTO t VALUES (7), (8)")
    try one.close()
    let copy = try Database(bytes: try readFile(path))
    try copy.distrust(steps: 100_000)
    #expect(try copy.integer("SELECT sum(number) FROM t") == 15)
    #expect(try error { try copy.execute("DELETE FROM t") }.code == 8)
    for bytes in [Array("this is no database".utf8), [UInt8](repeating: 1, count: 4096)] {
      let other = try Database(bytes: bytes)
      let damage = try error { _ = try other.integer("SELECT count(*) FROM sqlite_schema") }
      #expect(damage.isDamage && !damage.isUnreadable && !damage.isBusy)
    }
    // Nothing is a database without anything in it.
    #expect(try Database(bytes: []).integer("SELECT count(*) FROM sqlite_schema") == 0)
  }

  @Test("A stranger's database does nothing but be read, for so long and so much at most")
  func distrusted() throws {
    let endless =
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
    let database = try memory()
    try database.execute("CREATE VIEW v AS SELECT load_extension('x')")
    try database.distrust(steps: 1_000_000)
    let late = try error { _ = try database.integer(endless) }
    #expect(late.isInterrupted && !late.isBusy && !late.isDamage && !late.isUnreadable)
    #expect(try database.integer("SELECT length(zeroblob(\(64 << 20)))") == 64 << 20)
    #expect(
      try error { _ = try database.integer("SELECT length(zeroblob(\((64 << 20) + 1)))") }.code
        == 18)
    #expect(try database.integer("PRAGMA trusted_schema") == 0)
    #expect(try database.integer("PRAGMA cell_size_check") == 1)
    #expect(try database.integer("PRAGMA temp_store") == 2)
    #expect(throws: DatabaseError.self) { try database.integer("SELECT * FROM v") }
  }
}
