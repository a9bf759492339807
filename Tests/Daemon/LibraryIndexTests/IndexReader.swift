import Databases
import LibraryModel
import TestSupport
import Testing

@testable import LibraryIndex

/// Another program that reads the index: it knows nothing but SQL.
final class IndexReader {
  private let connection: IndexConnection

  init(_ path: String, canWrite: Bool = false) throws {
    connection = try IndexConnection(path, canWrite: canWrite, busySeconds: 5)
  }

  func rows(_ sql: String) throws -> [String] {
    try connection.read { try $0.lines(sql) }
  }

  func execute(_ sql: String) throws {
    try connection.write { try $0.execute(sql) }
  }

  /// The whole order in one reading, and the number of the library that it is that of.
  func order() throws -> (sequence: Int, lines: [String]) {
    try connection.read { try ($0.sequence(), $0.order()) }
  }
}

extension Database {
  func sequence() throws -> Int {
    try integer("SELECT sequence FROM library") ?? -1
  }

  /// A line for each row.
  func lines(_ sql: String) throws -> [String] {
    try statement(sql).rows { row in
      row.columns.map { row.isNull($0) ? "-" : row.text($0) }.joined(separator: "|")
    }
  }

  /// A line for each crate, each album and each song; what hangs nowhere has one, too.
  func order() throws -> [String] {
    let crates = try lines("SELECT name FROM crates ORDER BY position")
    let albums = try lines(
      """
      SELECT crates.name, albums.id FROM albums LEFT JOIN crates ON crates.id = albums.crate
      ORDER BY crates.position, albums.position
      """)
    let songs = try lines(
      """
      SELECT crates.name, songs.album, songs.id, songs.gone, hex(songs.path)
      FROM songs LEFT JOIN albums ON albums.id = songs.album
        LEFT JOIN crates ON crates.id = albums.crate
      ORDER BY crates.position, albums.position, songs.position
      """)
    return crates + albums + songs
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
