import Databases
import LibraryModel
import TestSupport
import Testing

@testable import LibraryIndex

@Suite("The tables that are searched", .limited)
struct SearchTablesTests {
  private let connection: IndexConnection
  private var made: SearchedLibrary
  private let album: AlbumID

  init() throws {
    connection = try IndexConnection(nil, busySeconds: 0)
    try connection.write { try IndexSchema.create($0) }
    made = try SearchedLibrary()
    try made.add("Album", by: "Ada", songs: [("One", "Ada"), ("Two", "Ada"), ("Three", "Ada")])
    album = try #require(made.library.crates[0].albums.first)
  }

  private var songs: [SongID] { made.library.albums[album]?.entries ?? [] }

  /// - Returns: whether any row was written.
  private func update(_ albums: Set<AlbumID>? = nil, removed: [SongID] = []) throws -> Bool {
    try connection.write { database in
      let before = database.changesCount
      try SearchTables(database).update(to: made.library, albums: albums, removed: removed)
      return database.changesCount > before
    }
  }

  /// The numbers of the rows of each table.
  private func rows() throws -> [Set<Int64>] {
    try connection.read { database in
      try SearchTables.all.map { table in
        Set(try database.statement("SELECT rowid FROM \(table.name)").rows { $0.integer(0) })
      }
    }
  }

  private func listed() -> [Set<Int64>] {
    let library = made.library
    let all = library.crates.flatMap(\.albums).compactMap { library.albums[$0] }
    let albums = Set(all.filter { library.isListed($0) }.map { Int64($0.id.number) })
    let songs = Set(all.flatMap { library.listedSongs(of: $0) }.map { Int64($0.id.number) })
    return [albums, albums, songs, songs]
  }

  @Test("Only what differs is written, of the albums that may differ")
  func differing() throws {
    var made = self
    #expect(try made.update())
    #expect(try made.rows() == made.listed())
    // An artist who is the album's is there once.
    #expect(
      try connection.read { try $0.lines("SELECT DISTINCT artist, album_artist FROM song_words") }
        == ["|ada"])
    #expect(try !made.update() && !made.update([made.album]))
    made.made.tag(made.songs[1]) { $0.title = "Deux" }
    #expect(try !made.update([]))
    #expect(try made.update([made.album]))
    try made.made.apply(.songGone(made.songs[1], Traits()))
    #expect(try made.update([made.album]))
    #expect(try made.rows() == made.listed())
    #expect(try !made.update())
  }

  @Test("A song that is forgotten has no row, and one that is in another album keeps its own")
  func removed() throws {
    var made = self
    _ = try made.update()
    let songs = made.songs
    let kept = SongRecord(
      album: album, after: nil, group: GroupKey(family: "x"), path: BytePath("/x"), digest: nil,
      added: 0, isGone: true, traits: Traits())
    try made.made.apply(.songGone(songs[0], Traits()))
    try made.made.apply(.songForgotten(songs[0], was: kept))
    #expect(try made.update([], removed: [songs[0], songs[1]]))
    #expect(try made.rows()[2...] == made.listed()[2...])
    #expect(try made.update([made.album]))
  }

  @Test("What is not listed goes where nothing is known of the tables, and all else stays")
  func strays() throws {
    _ = try update()
    for table in SearchTables.all {
      try connection.write { database in
        for row in [-7, -1, 0, 5] {
          try database.execute("INSERT INTO \(table.name) (rowid) VALUES (\(row))")
        }
      }
    }
    #expect(try !update([album]))
    #expect(try rows() != listed())
    _ = try update()
    #expect(try rows() == listed())
  }
}
