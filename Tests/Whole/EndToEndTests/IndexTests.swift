import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// Another program reads the order from the index, by Python's own SQLite.
@Suite("The index for other programs", .serialized, .limited)
struct IndexTests {
  private let home: Home

  init() throws {
    home = try Home()
    try copy(try SampleMusic.albums([.flac, .mp3, .ogg]), to: "\(home.music)/Here")
  }

  private func query(_ sql: String) throws -> [Substring] { try home.queryIndex(sql) }

  /// The order as the index has it after a clean stop, which it catches up before; and as the
  /// daemon listed it, gone things included.
  private func expectAgreement(
    _ daemon: RunningDaemon, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let sequence = try home.status().sequence
    let crates = try home.json("list").compactMap { $0["name"]?.string }
    let places = try home.keptPlaces(of: crates)
    try daemon.stop(location)
    #expect(try query("SELECT sequence FROM library") == ["\(sequence)"], sourceLocation: location)
    #expect(
      try query("SELECT name FROM crates ORDER BY position").map { String($0) } == crates,
      sourceLocation: location)
    let expected = places.map { "\($0.crate) \($0.album) \($0.position == nil ? 1 : 0) \($0.song)" }
    let listed = try query("SELECT crate, album, gone, song FROM listing").map { String($0) }
    #expect(listed.count == expected.count, sourceLocation: location)
    #expect(listed == expected, sourceLocation: location)
  }

  @Test("It has the person's order after everything that is done, and after a kill")
  func order() throws {
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    try expectAgreement(daemon)
    daemon = try RunningDaemon(home)
    let last = try #require(try home.albums("Music").last?.split(separator: " ").last)
    try home.crate("move", "Music", "3", "top")
    try expectAgreement(daemon)
    #expect(
      try query("SELECT title FROM listing LIMIT 2").map { String($0) }
        == ["First \(last)", "Second \(last)"])

    daemon = try RunningDaemon(home)
    try home.crate("move", "Music", "2-3", "to", "Jazz")
    try home.crate("move", "Jazz", "1", "3", "top")
    try home.crate("rename", "Jazz", "Late night")
    removeTree("\(home.music)/Here/Album mp3/1 First mp3.mp3")
    try copy(try SampleMusic.albums([.opus]), to: "\(home.music)/New")
    try daemon.sync()
    try expectAgreement(daemon)
    #expect(try query("SELECT count(*) FROM songs WHERE gone") == ["1"])

    daemon = try RunningDaemon(home)
    try home.crate("undo")
    try home.crate("sort", "Music", "by", "title")
    try daemon.kill()
    daemon = try RunningDaemon(home)
    try expectAgreement(daemon)
  }

  @Test("Deleted, damaged or older than the store, it is the same after the next start")
  func rebuilt() throws {
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    try daemon.stop()
    let older = try readFile(home.index)
    daemon = try RunningDaemon(home)
    try home.crate("move", "Music", "3", "to", "Jazz")
    let listings = try home.listings()
    try expectAgreement(daemon)

    for content in [nil, older, Array("no database".utf8), []] {
      if let content { try writeFile(content, to: home.index) } else { removeTree(home.index) }
      daemon = try RunningDaemon(home)
      try daemon.sync()
      #expect(try home.listings() == listings)
      try expectAgreement(daemon)
    }
  }

  @Test(
    "Deleted while crated runs, it is there again with the next change, and nothing is read anew")
  func deletedWhileRunning() throws {
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    removeTree(home.folder.path("cache/crated"))
    try home.crate("move", "Music", "3", "to", "Jazz")
    try expectAgreement(daemon)
    #expect(try query("SELECT count(*) FROM file") == ["9"])
    daemon = try RunningDaemon(home)
    try daemon.sync()
    #expect(!daemon.log.contains("the index could not be used"))
    try expectAgreement(daemon)
  }
}

extension Home {
  /// A line of blank-separated columns for each row.
  func queryIndex(_ sql: String) throws -> [Substring] {
    let script = """
      import sqlite3, sys
      index = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True)
      for row in index.execute(sys.argv[2]): print(*row)
      """
    let words = prefix + ["python3", "-c", script, index, sql]
    let result = try run(words[0], Array(words.dropFirst()))
    try #require(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n")
  }
}
