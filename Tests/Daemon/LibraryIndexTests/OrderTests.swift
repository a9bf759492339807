import Glibc
import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryIndex

@Suite("The order in the index", .limited)
struct OrderTests {
  /// A library that changes at random, and its index.
  final class Follower {
    let folder: TemporaryFolder
    var maker: LibraryMaker
    var index: LibraryIndex
    var touched: Set<AlbumID> = []

    var path: String { folder.path("index.sqlite") }
    var library: Library { maker.library }

    init(_ generator: SeededGenerator) throws {
      folder = try TemporaryFolder()
      maker = LibraryMaker(generator)
      index = try LibraryIndex.open(at: folder.path("index.sqlite"), newest: 0).index
    }

    /// Some changes that the index is told of later.
    func change() throws {
      let before = library
      let changes = try maker.changes().changes
      maker.library.advance(to: library.sequence + changes.count)
      touched.formUnion(Library.albumsTouched(by: changes, from: before, to: library))
    }

    func write() throws {
      var batch = LibraryIndex.Batch()
      batch.library = library
      batch.albums = touched
      touched = []
      try index.write(batch)
    }

    /// Opens it as after a stop: nothing is known but the library, which may have gone on.
    func reopen() throws {
      // The index is trusted, if nothing has to be written.
      try index.close(with: touched.isEmpty ? library : nil)
      let again = try LibraryIndex.open(at: path, newest: library.sequence)
      #expect(again.note == nil)
      index = again.index
      _ = index.isCurrent(library)
      touched = []
    }
  }

  @Test("is the library's after every change, every burst of changes and every restart")
  func random() throws {
    var generator = SeededGenerator(usually: 20_600)
    for _ in 0..<4 {
      let start = generator.next()
      let follower = try Follower(SeededGenerator(seed: start))
      for step in 0..<100 {
        for _ in 0..<[0, 1, 1, 1, 2, 20][Int.random(in: 0..<6, using: &generator)] {
          try follower.change()
        }
        if Int.random(in: 0..<20, using: &generator) == 0 { try follower.reopen() }
        try follower.write()
        let lines = try IndexReader(follower.path).order().lines
        if lines != expectedOrder(of: follower.library) {
          try expectAgreement(
            try IndexReader(follower.path), follower.library,
            "\(generator), run \(start), step \(step)")
          return
        }
      }
      let last = "\(generator), run \(start)"
      try expectAgreement(try IndexReader(follower.path), follower.library, "\(last)")
      #expect(follower.library.songs.count > 20, "\(last)")

      // One that is built anew is the same.
      try follower.index.close()
      removeTree(follower.path)
      follower.index = try LibraryIndex.open(at: follower.path, newest: 0).index
      try follower.write()
      try expectAgreement(try IndexReader(follower.path), follower.library, "\(last)")
    }
  }

  /// What the write-ahead log holds after a kill, or when the power fails, may end anywhere.
  @Test("is that of the number beside it, wherever a kill cut the writing short")
  func killed() throws {
    let generator = SeededGenerator(usually: 20_601)
    let follower = try Follower(generator)
    var libraries = [0: Library()]
    for step in 0..<50 {
      for _ in 0...step % 3 { try follower.change() }
      try follower.write()
      libraries[follower.library.sequence] = follower.library
    }
    let log = try readFile(follower.path + "-wal")
    let file = try readFile(follower.path)
    var seen: Set<Int> = []
    for length in stride(from: 0, through: log.count, by: Effort.runs(30_000, nightly: 6_000)) {
      let comment: Comment = "\(generator), \(length) of \(log.count) bytes"
      let cut = try TemporaryFolder()
      let path = try cut.write(file, to: "index.sqlite")
      try cut.write(Array(log[..<length]), to: "index.sqlite-wal")
      let opened = try LibraryIndex.open(at: path, newest: follower.library.sequence)
      #expect(opened.note == nil, comment)
      let index = opened.index
      let (sequence, lines) = try IndexReader(path).order()
      guard let library = libraries[sequence] else {
        Issue.record("no library has the number \(sequence): \(comment)")
        return
      }
      expectSame(lines, expectedOrder(of: library), comment)
      seen.insert(sequence)
      // The next start brings it up to date.
      var batch = LibraryIndex.Batch()
      batch.library = follower.library
      try index.write(batch)
      try expectAgreement(try IndexReader(path), follower.library, comment)
    }
    #expect(seen.count > 20, "the log was cut between few writes only")
  }

  @Test(
    "comes back at the next start, whatever was done to the tables",
    arguments: [
      "UPDATE songs SET position = 7", "UPDATE albums SET position = -position",
      "UPDATE crates SET position = 7", "UPDATE crates SET name = 'same'",
      "DELETE FROM songs WHERE unicode(substr(id, 12)) % 2", "DELETE FROM albums",
      "DELETE FROM crates",
      "UPDATE songs SET gone = 1 - gone, path = x'00ff'", "UPDATE songs SET album = 'nowhere'",
      "UPDATE songs SET id = substr(id, 2)", "UPDATE albums SET id = substr(id, 2)",
      "INSERT INTO songs SELECT substr(id, 2), album, position + 1, 0, path FROM songs",
      "INSERT INTO songs SELECT 'aaaaaaaaaaaa', album, position + 1, 0, path FROM songs LIMIT 1",
      "INSERT INTO songs SELECT 'aaaaaaaaaaaa', 'nowhere', position, 0, path FROM songs LIMIT 1",
      "INSERT INTO albums SELECT 'aaaaaaaaaaaa', crate, position + 1 FROM albums LIMIT 1",
      "INSERT INTO albums VALUES ('aaaaaaaaaaab', 999, 0)",
      "INSERT INTO crates VALUES ('aaaaaaaaaaaa', 'stray', 1)",
      "INSERT INTO crates VALUES ('aaaaaaaaaaaa', '', 1); UPDATE albums SET crate = 'aaaaaaaaaaaa'",
      "INSERT INTO crates VALUES (999, 'stray', 0); UPDATE albums SET crate = 999",
      "UPDATE crates SET id = substr(id, 2)",
    ])
  func altered(sql: String) throws {
    let follower = try Follower(SeededGenerator(seed: 20_602))
    for _ in 0..<150 { try follower.change() }
    try follower.write()
    try follower.index.close(with: follower.library)
    let closed = ClosingStamp(of: follower.path, library: 0)
    try IndexReader(follower.path, canWrite: true).execute(sql)
    // The clock of the file system may not have ticked since.
    while ClosingStamp(of: follower.path, library: 0) == closed { utimes(follower.path, nil) }
    #expect(try IndexReader(follower.path).order().lines != expectedOrder(of: follower.library))
    follower.index =
      try LibraryIndex.open(at: follower.path, newest: follower.library.sequence).index
    #expect(!follower.index.isCurrent(follower.library))
    try follower.write()
    try expectAgreement(try IndexReader(follower.path), follower.library)
  }

  @Test("has a row of its own for each crate, of those that come after a restart, too")
  func crates() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("index.sqlite")
    var library = Library()
    for round in 0..<4 {
      let index = try LibraryIndex.open(at: path, newest: library.sequence).index
      for number in 0..<3 {
        let above = library.crates.last?.name
        try library.apply(.crateAdded("Crate \(round) \(number)", after: above), by: .person)
        library.advance(to: library.sequence + 1)
        var batch = LibraryIndex.Batch()
        batch.library = library
        try index.write(batch)
        try expectAgreement(try IndexReader(path), library)
      }
      try index.close()
    }
  }

  @Test("is told from every other one by the library's fingerprint, and from that of no other")
  func fingerprints() throws {
    let follower = try Follower(SeededGenerator(seed: 20_604))
    var known: [UInt64: [String]] = [:]
    var orders: Set<[String]> = []
    for _ in 0..<300 {
      try follower.change()
      let order = expectedOrder(of: follower.library).map { "\($0)" }
      let fingerprint = follower.library.fingerprint
      #expect(known[fingerprint] == nil || known[fingerprint] == order)
      known[fingerprint] = order
      orders.insert(order)
    }
    #expect(orders.count > 100)
  }

  @Test("is left as it was by a write that fails, and made good by the next")
  func failure() throws {
    let follower = try Follower(SeededGenerator(seed: 20_603))
    for _ in 0..<150 { try follower.change() }
    try follower.write()
    let written = follower.library
    let other = try IndexReader(follower.path, canWrite: true)
    for table in ["songs", "albums"] {
      for event in ["INSERT", "UPDATE", "DELETE"] {
        try other.execute(
          """
          CREATE TRIGGER refuse_\(table)_\(event) BEFORE \(event) ON \(table)
          BEGIN SELECT RAISE(ABORT, 'refused'); END
          """)
      }
    }
    for _ in 0..<50 { try follower.change() }
    #expect(throws: (any Error).self) { try follower.write() }
    try expectAgreement(other, written)
    for trigger in try other.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'") {
      try other.execute("DROP TRIGGER \(trigger)")
    }
    // What had changed is not told again.
    try follower.change()
    try follower.write()
    try expectAgreement(other, follower.library)
  }
}
