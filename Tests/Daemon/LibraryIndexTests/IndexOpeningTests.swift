import Databases
import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryIndex

@Suite("Opening an index, and writing much to it", .limited)
struct IndexOpeningTests {
  let folder: TemporaryFolder
  var path: String { folder.path("index.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  @Test("Another version has other tables, and this one these")
  func version() throws {
    let connection = try IndexConnection(nil, busySeconds: 0)
    try connection.write { try IndexSchema.create($0) }
    let (version, tables) = try connection.read { database in
      (
        try database.integer("PRAGMA user_version"),
        // Without those that SQLite makes for the tables that are searched.
        try database.lines(
          """
          SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB '*_words_*'
            AND name NOT GLOB '*_rare_*' ORDER BY name
          """)
      )
    }
    let digest = tables.joined(separator: "\n").utf8.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
    let told = "\(version ?? 0) of \(digest)"
    #expect(told == "10 of 8357908108502915724", "where the tables change the version has to, too")
  }

  @Test("Much is what is large, or an order of which nothing is known")
  func much() throws {
    func isMuch(
      isKnown: Bool, _ change: (inout LibraryIndex.Batch) throws -> Void
    ) throws -> Bool {
      for ending in ["", "-wal", "-shm", ".closed"] { removeTree(path + ending) }
      var index = try LibraryIndex.open(at: path, newest: 9).index
      if isKnown {
        try index.close(with: Library())
        index = try LibraryIndex.open(at: path, newest: 9).index
        #expect(index.isCurrent(Library()))
      }
      var batch = LibraryIndex.Batch()
      try change(&batch)
      let isMuch = try index.write(batch)
      try index.close()
      return isMuch
    }
    for isKnown in [false, true] {
      #expect(try !isMuch(isKnown: isKnown) { $0.files = [indexedFile("a")] })
      #expect(try isMuch(isKnown: isKnown) { $0.library = Library() } == !isKnown)
      let many = Set((1...101).map { AlbumID(number: $0) })
      #expect(try isMuch(isKnown: isKnown) { $0.albums = many })
    }
  }

  @Test("A database of somebody else is set aside, and so is what an earlier one left there")
  func strangers() throws {
    let other = try IndexConnection(path, busySeconds: 5)
    try other.write { try $0.execute("CREATE TABLE t (x)") }
    try other.close()
    try writeFile([1], to: path + ".damaged-wal")
    let opened = try LibraryIndex.open(at: path, newest: 9)
    #expect(opened.note?.contains("version 0 instead of") == true)
    #expect(try opened.index.files().isEmpty)
    #expect(try !names(in: folder.path).contains("index.sqlite.damaged-wal"))
    let aside = try IndexReader(path + ".damaged", canWrite: true)
    #expect(try aside.rows("SELECT name FROM sqlite_schema") == ["t"])
    // An empty file is nobody's.
    try opened.index.close()
    removeTree(path)
    try writeFile([], to: path)
    #expect(try LibraryIndex.open(at: path, newest: 9).note == nil)
  }

  @Test("Searches go on with what the first one opened")
  func searches() throws {
    var library = Library()
    try library.apply(.crateAdded("Jazz", after: nil), by: .folder)
    let (album, song) = (AlbumID(number: 1), SongID(number: 1))
    let group = GroupKey(family: "by\tx\ty")
    try library.apply(
      .albumAdded(album, crate: "Jazz", after: nil, group: group, isFresh: false, seen: 0),
      by: .folder)
    try library.apply(
      .songAdded(
        song, album: album, after: nil, path: BytePath("/m/blue.flac"), digest: nil, added: 0,
        seen: 0), by: .folder)
    let index = try LibraryIndex.open(at: path, newest: 9).index
    try index.follow(library)
    func found() throws -> Int {
      try index.search(
        SearchQuery("path:blue"), in: library, AlbumPlaces(in: library), limit: 9
      ).songCount
    }
    #expect(try found() == 1)
    removeTree(path)
    #expect(try found() == 1)
  }

  @Test("Where no index can be made that is an error, and nothing is set aside")
  func nowhere() throws {
    #expect(throws: (any Error).self) {
      try LibraryIndex.open(at: folder.path("nowhere/index.sqlite"), newest: 9)
    }
    #expect(try names(in: folder.path).isEmpty)
  }

  @Test("An index that has lost its number has none")
  func noNumber() throws {
    let index = try LibraryIndex.open(at: path, newest: 9).index
    var batch = LibraryIndex.Batch()
    batch.library = Library()
    batch.library?.advance(to: 7)
    try index.write(batch)
    #expect(try index.sequence() == 7)
    try IndexReader(path, canWrite: true).execute("DELETE FROM library")
    #expect(try index.sequence() == 0)
  }

  @Test("A write that fails leaves the order to be read again, and one after closing fails")
  func closed() throws {
    let index = try LibraryIndex.open(at: path, newest: 9).index
    try index.close()
    var batch = LibraryIndex.Batch()
    batch.files = [indexedFile("a")]
    #expect(throws: DatabaseError.self) { try index.write(batch) }
    #expect(throws: DatabaseError.self) { try index.files() }
    #expect(throws: DatabaseError.self) { try index.sequence() }
    index.giveBackMemory()
  }
}
