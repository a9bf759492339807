import Databases
import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryIndex

/// What following costs, in rows: every row that SQLite is told to write counts, changed or not.
@Suite("Rows written for the order", .limited)
struct OrderCostTests {
  private let connection: IndexConnection
  private var library = Library()
  private var order: IndexedOrder

  private static let music = "Music"

  /// A crate of so many albums, of which the first has so many songs.
  init() throws {
    connection = try IndexConnection(nil, busySeconds: 0)
    order = try connection.write { database in
      try IndexSchema.create(database)
      return try IndexedOrder(reading: database)
    }
  }

  private mutating func make(albums: Int, songs: Int) throws {
    var changes: [Change] = [.crateAdded(Self.music, after: nil)]
    for number in (0..<albums).reversed() {
      let group = GroupKey(family: "\(number)", edition: "")
      changes.append(
        .albumAdded(
          album(number), crate: Self.music, after: nil, group: group, isFresh: false, seen: 0))
    }
    for number in (0..<songs).reversed() {
      changes.append(
        .songAdded(
          song(number), album: album(0), after: nil, path: BytePath("/m/\(number)"), digest: nil,
          added: 0, seen: 0))
    }
    try #expect(rows(changes) == 1 + albums + songs + 1)
  }

  private func album(_ number: Int) -> AlbumID { AlbumID(number: 1 << 40 + UInt64(number)) }
  private func song(_ number: Int) -> SongID { SongID(number: 1 << 40 + UInt64(number)) }

  /// How many rows these changes cost, that of the number included.
  private mutating func rows(_ changes: [Change]) throws -> Int {
    let before = library
    for change in changes { try library.apply(change, by: .person) }
    library.advance(to: library.sequence + changes.count)
    let albums = Library.albumsTouched(by: changes, from: before, to: library)
    let (library, known) = (library, order)
    let (next, count, lines) = try connection.write { database in
      let start = database.changesCount
      var next = known
      _ = try next.update(to: library, albums: albums, database)
      try database.execute("UPDATE library SET sequence = \(library.sequence)")
      return (next, database.changesCount - start, try database.order())
    }
    order = next
    expectSame(lines, expectedOrder(of: library))
    return count
  }

  @Test("a move in a list of 1,000 costs a row and the number")
  func move() throws {
    var tables = self
    try tables.make(albums: 1_000, songs: 1_000)
    #expect(
      try tables.rows([
        .albumMoved(
          album(999), crate: Self.music, after: nil, wasCrate: Self.music, wasAfter: album(998))
      ]) == 2)
    #expect(
      try tables.rows([.songMoved(song(0), in: album(0), after: song(500), wasAfter: nil)]) == 2)
    #expect(try tables.rows([.songGone(song(7), Traits())]) == 2)
    #expect(
      try tables.rows([
        .crateAdded("Jazz", after: nil),
        .albumMoved(
          album(500), crate: "Jazz", after: nil, wasCrate: Self.music, wasAfter: album(499)),
      ]) == 3)
    #expect(try tables.rows([.crateMoved("Jazz", after: Self.music, wasAfter: nil)]) == 2)
    #expect(try tables.rows([.crateRenamed("Jazz", to: "Late night")]) == 2)
    #expect(try tables.rows([.crateRenamed("Late night", to: "Jazz")]) == 2)
    #expect(try tables.rows([.albumArranged(album(1), true)]) == 1)
    let kept = SongRecord(
      album: album(0), after: nil, group: GroupKey(family: "x"), path: BytePath("/x"), digest: nil,
      added: 0, isGone: true, traits: Traits())
    #expect(try tables.rows([.songForgotten(song(7), was: kept)]) == 2)
    #expect(try tables.rows([.songAdded(song(7), kept)]) == 2)
  }

  @Test("moves to one spot renumber the list, but seldom", arguments: [1_000, 1_500])
  func oneSpot(albums: Int) throws {
    var tables = self
    try tables.make(albums: albums, songs: 0)
    var rows = 0
    var most = 0
    for number in 600..<700 {
      let cost = try tables.rows([
        .albumMoved(
          album(number), crate: Self.music, after: album(0), wasCrate: Self.music,
          wasAfter: album(number - 1))
      ])
      rows += cost - 2
      most = max(most, cost)
    }
    #expect(most > 2, "the gap never closed")
    #expect(rows < 20 * 100 + albums)
  }
}
