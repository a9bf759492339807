import Databases
import Glibc
import TestSupport
import Testing

@testable import ImportedLists

@Suite("Databases of other programs", .limited)
struct ProgramTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("program.db") }

  init() throws { folder = try TemporaryFolder() }

  static let programs = [
    (ProgramMaker.strawberry, ProgramMaker.strawberryLists),
    (ProgramMaker.clementine, ProgramMaker.clementineLists),
    (ProgramMaker.mixxx, ProgramMaker.mixxxLists),
  ]

  private func read() throws(ListFault) -> String {
    let copies = folder.path("copies")
    mkdir(copies, 0o700)
    let file = try DatabaseFile.read(path, copyingTo: copies) {
      // From now on nothing may be removed any more.
      #expect((try? names(in: copies)) == [], "no copy is left")
    }
    #expect((try? names(in: copies)) == [], "no copy is left")
    return rendered(file)
  }

  @Test("Their lists are read, as a file and as bytes", arguments: programs)
  func lists(sql: String, expected: String) throws {
    try ProgramMaker.make(sql, at: path)
    #expect(try read() == expected)
    let file = try ListFile(of: readFile(path), named: "program.db")
    #expect(rendered(file) == expected)
    // Nothing is made beside it.
    #expect(try names(in: folder.path) == ["copies", "program.db"])
  }

  @Test("A copy that can't be made says that the file can't be read, not what is in it")
  func unreadable() throws {
    try ProgramMaker.make(ProgramMaker.mixxx, at: path)
    // A journal that is none, and can't be copied.
    try folder.makeFolder("program.db-journal")
    let fault = try #require(throws: ListFault.self) { _ = try read() }
    #expect(fault.isUnreadable && fault.reason.contains("program.db-journal can't be read"))
  }

  @Test("Where a table has a column by its old and its new name, the new one counts")
  func bothColumns() throws {
    let sql = ProgramMaker.clementine
      .replacing("library_id INTEGER,", with: "library_id INTEGER, collection_id INTEGER,")
    try ProgramMaker.make(sql + "; UPDATE playlist_items SET library_id = 9", at: path)
    #expect(try !read().contains("So What"))
    let database = try Database(path, canWrite: true, busySeconds: 5)
    try database.execute("UPDATE playlist_items SET collection_id = 1 WHERE filename IS NULL")
    try database.close()
    #expect(try read() == ProgramMaker.clementineLists)
  }

  @Test("Of a file so many bytes are copied, and of one with more it is told what to do")
  func copies() throws {
    let most = (1 << 20) + 1
    let copy = folder.path("copy")
    for count in [most - 2, most] {
      let bytes = [UInt8](repeating: 7, count: count)
      try writeFile(bytes, to: path)
      try DatabaseFile.copy(path, to: copy, isNeeded: true, most: most)
      #expect(try readFile(copy) == bytes)
      unlink(copy)
    }
    try writeFile([UInt8](repeating: 7, count: most + 1), to: path)
    let fault = try #require(throws: ListFault.self) {
      try DatabaseFile.copy(path, to: copy, isNeeded: true, most: most)
    }
    #expect(fault.reason.contains("start and stop the program"))
    unlink(copy)
    try DatabaseFile.copy("\(path)-wal", to: copy, isNeeded: false)
    #expect(access(copy, F_OK) != 0)
    #expect(throws: ListFault.self) {
      try DatabaseFile.copy("\(path)-wal", to: copy, isNeeded: true)
    }
  }

  @Test("What a stranger's database says of functions is not trusted")
  func distrusted() throws {
    try ProgramMaker.make(ProgramMaker.mixxx, at: path)
    let database = try Database(path, canWrite: false, busySeconds: 5)
    #expect(try database.integer("PRAGMA trusted_schema") == 1)
    _ = try ProgramDatabase.file(database)
    #expect(try database.integer("PRAGMA trusted_schema") == 0)
  }

  @Test("They are read while the program runs and writes", arguments: programs)
  func running(sql: String, expected: String) throws {
    try ProgramMaker.make(sql, at: path, settings: "PRAGMA journal_mode = WAL")
    let program = try Database(path, canWrite: true, busySeconds: 5)
    try program.execute("PRAGMA wal_autocheckpoint = 0")
    // In the log, and in no other place; what is not committed isn't seen.
    try program.execute(
      "UPDATE playlists SET name = 'Changed' WHERE name IN ('First', 'Set', 'Jazz')")
    try program.execute("BEGIN IMMEDIATE")
    try program.execute("DELETE FROM playlists")
    let files = try names(in: folder.path)
    #expect(files.contains("program.db-wal"))
    let changed = expected.replacing(/list (First|Set|Jazz)\n/, with: "list Changed\n")
    #expect(try read() == changed)
    #expect(try names(in: folder.path) == ["copies"] + files)
    try program.execute("ROLLBACK")
  }

  @Test("A log that a program left is read, in a copy")
  func leftLog() throws {
    let live = folder.path("live.db")
    try ProgramMaker.make(ProgramMaker.mixxx, at: live, settings: "PRAGMA journal_mode = WAL")
    let program = try Database(live, canWrite: true, busySeconds: 5)
    try program.execute("PRAGMA wal_autocheckpoint = 0")
    try program.execute("UPDATE Playlists SET name = 'In the log' WHERE name = 'Set'")
    // The files as after a crash, or a backup.
    try writeFile(readFile(live), to: path)
    try writeFile(readFile(live + "-wal"), to: path + "-wal")
    let before = try readFile(path)
    #expect(try read().contains("list In the log\n"))
    #expect(try readFile(path) == before)
    #expect(access(path + "-shm", F_OK) != 0, "nothing is made beside it")
    try program.close()
  }

  @Test("A journal that a program left is rolled back in a copy")
  func leftJournal() throws {
    let live = folder.path("live.db")
    try ProgramMaker.make(ProgramMaker.mixxx, at: live)
    let program = try Database(live, canWrite: true, busySeconds: 5)
    try program.execute("PRAGMA cache_size = 1; PRAGMA cache_spill = 1")
    try program.execute("BEGIN; DELETE FROM Playlists")
    let filler = "INSERT INTO Playlists (name) VALUES (hex(randomblob(3000)))"
    for _ in 0..<50 { try program.execute(filler) }
    try #require(access(live + "-journal", F_OK) == 0)
    try writeFile(readFile(live), to: path)
    try writeFile(readFile(live + "-journal"), to: path + "-journal")
    let before = try readFile(path)
    #expect(try read() == ProgramMaker.mixxxLists)
    #expect(try readFile(path) == before)
    try program.execute("ROLLBACK")
    try program.close()
  }

  @Test("What is no database of theirs, damaged or away is refused")
  func refusals() throws {
    func fault() throws -> ListFault { try #require(throws: ListFault.self) { try read() } }
    #expect(try fault().isUnreadable)
    try writeFile(Array("no database at all, but long enough to be one".utf8), to: path)
    #expect(try fault().reason.contains("damaged"))
    unlink(path)
    try ProgramMaker.make("CREATE TABLE other (x)", at: path)
    #expect(try fault().reason.contains("Strawberry"))
    unlink(path)
    try ProgramMaker.make(
      "CREATE TABLE playlists (title); CREATE TABLE playlist_items (x)", at: path)
    #expect(try fault().reason.contains("“name”"))
  }

  @Test("Tables that are views are not asked")
  func hostile() throws {
    // A view that counts for ever, under the name of a table.
    let endless =
      "(WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n)"
    let sql = ProgramMaker.mixxx.replacing("CREATE TABLE library (", with: "CREATE TABLE other (")
      .replacing("INSERT INTO library", with: "INSERT INTO other")
    try ProgramMaker.make(sql + "; CREATE VIEW library AS SELECT * FROM \(endless)", at: path)
    let fault = try #require(throws: ListFault.self) { try read() }
    #expect(fault.reason.contains("“id” in its table “library”"), "\(fault)")
  }

  @Test("A program is known in any case, and keeps its lists where XDG says")
  func places() throws {
    #expect(ImportProgram(word: "Mixxx") == .mixxx)
    #expect(ImportProgram(word: "winamp") == nil)
    for program in ImportProgram.allCases {
      let usual = program.places(home: "/home/ada", config: nil, data: nil)
      #expect(usual.allSatisfy { $0.hasPrefix("/home/ada/.") || $0.hasPrefix("/var/") })
    }
    #expect(
      ImportProgram.strawberry.places(home: "/home/ada", config: "/c", data: "/d").first
        == "/d/strawberry/strawberry/strawberry.db")
    #expect(
      ImportProgram.mpd.places(home: "/home/ada", config: "/c", data: nil)
        == ["/c/mpd/playlists", "/home/ada/.mpd/playlists", "/var/lib/mpd/playlists"])
    #expect(ImportProgram.rhythmbox.beside == "rhythmdb.xml")
  }
}
