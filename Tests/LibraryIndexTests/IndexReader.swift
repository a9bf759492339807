import GRDB
import LibraryModel
import TestSupport
import Testing

/// Another program that reads the index: it knows nothing but SQL.
final class IndexReader {
  private let queue: DatabaseQueue

  init(_ path: String, canWrite: Bool = false) throws {
    var configuration = Configuration()
    configuration.readonly = !canWrite
    queue = try DatabaseQueue(path: path, configuration: configuration)
  }

  func rows(_ sql: String) throws -> [String] {
    try queue.read { database in
      try Row.fetchAll(database, sql: sql).map { row in
        row.databaseValues.map { "\($0)" }.joined(separator: "|")
      }
    }
  }

  func execute(_ sql: String) throws {
    try queue.write { try $0.execute(sql: sql) }
  }

  /// The whole order in one reading, and the number of the library that it is that of.
  func order() throws -> (sequence: Int, lines: [String]) {
    try queue.read { try ($0.sequence(), $0.order()) }
  }
}

extension Database {
  func sequence() throws -> Int {
    try Int.fetchOne(self, sql: "SELECT sequence FROM library") ?? -1
  }

  /// A line for each crate, each album and each song; what hangs nowhere has one, too.
  func order() throws -> [String] {
    let crates = try Row.fetchAll(self, sql: "SELECT name FROM crates ORDER BY position")
    let albums = try Row.fetchAll(
      self,
      sql: """
        SELECT crates.name, albums.id FROM albums LEFT JOIN crates ON crates.id = albums.crate
        ORDER BY crates.position, albums.position
        """)
    let songs = try Row.fetchAll(
      self,
      sql: """
        SELECT crates.name, songs.album, songs.id, songs.gone, hex(songs.path)
        FROM songs LEFT JOIN albums ON albums.id = songs.album
          LEFT JOIN crates ON crates.id = albums.crate
        ORDER BY crates.position, albums.position, songs.position
        """)
    return (crates + albums + songs).map { row in
      row.databaseValues.map { $0.storage.value.map { "\($0)" } ?? "-" }.joined(separator: "|")
    }
  }
}

/// The same lines from the library.
func expectedOrder(of library: Library) -> [String] {
  var (crates, albums, songs): ([String], [String], [String]) = ([], [], [])
  for crate in library.crates {
    crates.append(crate.name)
    for id in crate.albums {
      albums.append("\(crate.name)|\(id)")
      guard let album = library.albums[id] else { continue }
      for song in library.songs(of: album) {
        let path = song.path.bytes.map { byte in
          let digits = String(byte, radix: 16, uppercase: true)
          return digits.count == 1 ? "0\(digits)" : digits
        }
        songs.append("\(crate.name)|\(id)|\(song.id)|\(song.isGone ? 1 : 0)|\(path.joined())")
      }
    }
  }
  return crates + albums + songs
}

/// Whether the index has the order of the library, and says so.
func expectAgreement(
  _ index: IndexReader, _ library: Library, _ comment: Comment? = nil,
  _ location: SourceLocation = #_sourceLocation
) throws {
  let (sequence, lines) = try index.order()
  #expect(sequence == library.sequence, comment, sourceLocation: location)
  expectSame(lines, expectedOrder(of: library), comment, location)
}

/// Names the first difference, not thousands of lines.
func expectSame(
  _ lines: [String], _ expected: [String], _ comment: Comment? = nil,
  _ location: SourceLocation = #_sourceLocation
) {
  #expect(lines.count == expected.count, comment, sourceLocation: location)
  if let (found, expected) = zip(lines, expected).first(where: { $0 != $1 }) {
    Issue.record("\(found) instead of \(expected)", sourceLocation: location)
  }
}
