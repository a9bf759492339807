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

  /// How many rows differed.
  private func follow(_ albums: Set<AlbumID>? = nil, removed: [SongID] = []) throws -> Int {
    try connection.write {
      try SearchTables($0).follow(made.library, albums: albums, removed: removed)
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

  @Test("The rows that differ are counted, one of words and one of paths")
  func counts() throws {
    var made = self
    #expect(try made.follow() == 8)
    #expect(try made.rows() == made.listed())
    #expect(try made.follow() == 0 && made.follow([made.album]) == 0)
    made.made.tag(made.songs[1]) { $0.title = "Deux" }
    #expect(try made.follow([]) == 0)
    #expect(try made.follow([made.album]) == 1)
    // A song that goes, and its path among those of the album.
    try made.made.apply(.songGone(made.songs[1], Traits()))
    #expect(try made.follow([made.album]) == 3)
    #expect(try made.rows() == made.listed())
    #expect(try made.follow() == 0)
  }

  @Test("A song that is forgotten has no row, and one that is in another album keeps its own")
  func removed() throws {
    var made = self
    _ = try made.follow()
    let songs = made.songs
    let kept = SongRecord(
      album: album, after: nil, group: GroupKey(family: "x"), path: BytePath("/x"), digest: nil,
      added: 0, isGone: true, traits: Traits())
    try made.made.apply(.songGone(songs[0], Traits()))
    try made.made.apply(.songForgotten(songs[0], was: kept))
    #expect(try made.follow([], removed: [songs[0], songs[1]]) == 2)
    #expect(try made.rows()[2...] == made.listed()[2...])
    #expect(try made.follow([made.album]) == 1)
  }

  @Test("What is not listed goes where nothing is known of the tables, and all else stays")
  func strays() throws {
    _ = try follow()
    for table in SearchTables.all {
      try connection.write { database in
        for row in [-7, -1, 0, 5] {
          try database.execute("INSERT INTO \(table.name) (rowid) VALUES (\(row))")
        }
      }
    }
    #expect(try follow([album]) == 0)
    #expect(try rows() != listed())
    #expect(try follow() == 0, "what was there is not written again")
    #expect(try rows() == listed())
  }

  @Test("A row has what a search compares, each in its column")
  func documents() throws {
    let sign = "\u{E101}"
    let divider = "\u{E100}"
    var made = try SearchedLibrary()
    try made.add("So What", by: "Ada", year: 1959, in: "A/B", songs: [("Due", "Ada & Eve")])
    try made.add("So What", by: "Ada", in: "C", songs: [("Uno", "Ada")])
    let faces = made.library.crates[0].albums.compactMap { made.library.albums[$0] }
    let documents = faces.map { album in
      let face = made.library.face(of: album)
      let songs = made.library.listedSongs(of: album)
      return (
        SearchDocument(face, songs: songs + songs),
        songs.map { SearchDocument($0, in: face) }
      )
    }
    let name = ["so", "what", divider, "\(sign)so\(sign)what"]
    #expect(documents[0].0.artist == ["ada"] && documents[0].0.album == name)
    #expect(documents[0].0.title == [] && documents[0].0.year == ["1959"])
    let path = SearchDocument.tokens("music A B 1.flac/x").prefix { $0 != divider }.dropLast()
    #expect(documents[0].0.path.filter { $0 == "flac" }.count == 2)
    let song = documents[0].1[0]
    #expect(song.path.starts(with: path))
    #expect(song.artist == ["ada", "eve", divider, "\u{E026}"])
    #expect(song.albumArtist == ["ada"])
    #expect(song.album == ["so", "what"] && song.year == ["1959"])
    #expect(song.title == ["due", divider, "\(sign)due"])
    #expect(documents[0].0.path == song.path + [divider] + song.path)
    #expect(
      documents[1].1[0].artist.isEmpty && documents[1].1[0].albumArtist == ["ada"]
        && documents[1].1[0].year.isEmpty)
  }
}
