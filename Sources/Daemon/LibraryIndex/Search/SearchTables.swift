import Databases
import LibraryModel

/// The full-text tables of the listed albums and songs. A row's id is the number of the album's or
/// song's id, so that nothing depends on the order of insertion.
struct SearchTables {
  struct Table {
    var name: String
    var columns: [String]
    var options = ""
  }

  /// The tables of one kind of row: the frequently searched columns, with an index of prefixes; and
  /// the rarely searched ones, without one.
  struct Pair {
    var words: Table
    var rare: Table

    fileprivate init(_ kind: String, _ columns: [String]) {
      words = Table(name: "\(kind)_words", columns: columns, options: ", prefix = '1 2 3'")
      rare = Table(name: "\(kind)_rare", columns: ["composer", "genre", "path"])
    }
  }

  static let ofAlbums = Pair("album", ["artist", "album", "year"])
  static let ofSongs = Pair("song", ["artist", "album_artist", "album", "title", "year"])

  static let all = [ofAlbums, ofSongs].flatMap { [$0.words, $0.rare] }

  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  static func create(_ database: Database) throws {
    for table in all {
      // The text is folded already, and this tokenizer takes all characters beyond ASCII for
      // letters. Column sizes serve a ranking that isn't used.
      try database.execute(
        """
        CREATE VIRTUAL TABLE \(table.name) USING fts5 (
          \(table.columns.joined(separator: ", ")), tokenize = 'ascii', columnsize = 0
          \(table.options))
        """)
    }
  }

  /// Updates the tables to the library. Only rows that differ are written.
  ///
  /// - Parameters:
  ///   - albums: as for `IndexedOrder.update`.
  ///   - removed: songs that may no longer be in any album.
  /// - Throws: a `DatabaseError`; the transaction has to be rolled back then.
  func update(to library: Library, albums: Set<AlbumID>?, removed: [SongID]) throws {
    if albums == nil { try prune(library) }
    let albums = (albums ?? Set(library.crates.lazy.flatMap(\.albums))).sorted()
    var songs = Set(removed.filter { library.songs[$0] == nil })
    for id in albums { songs.formUnion(library.albums[id]?.entries ?? []) }
    // In the order of the rows: FTS5 needs a fraction of the time.
    let albumWords = try Writer(Self.ofAlbums.words, database)
    let albumRare = try Writer(Self.ofAlbums.rare, database)
    // The songs need their albums' faces again, in another order.
    var faces: [AlbumID: AlbumFace] = [:]
    for id in albums {
      let face = library.albums[id].map(library.passingFace)
      faces[id] = face
      let document = face.flatMap { Self.document(id, $0, library) }
      try albumWords.write(id.number, document.map { [$0.artist, $0.album, $0.year] })
      try albumRare.write(id.number, document.map { [$0.composer, $0.genre, $0.path] })
    }
    let songWords = try Writer(Self.ofSongs.words, database)
    let songRare = try Writer(Self.ofSongs.rare, database)
    var written = 0
    for id in songs.sorted() {
      let document = Self.document(id, faces, library)
      let differs = try songWords.write(
        id.number,
        document.map { [$0.artist, $0.albumArtist, $0.album, $0.title, $0.year] })
      if differs { written += 1 }
      try songRare.write(id.number, document.map { [$0.composer, $0.genre, $0.path] })
    }
    if written > library.songs.count / 2 { try joinSegments() }
  }

  /// Joins the segments that many writes leave in FTS5's tables: with one segment, searches are a
  /// fifth to a half quicker. Rewrites the tables, so it is worth it only after most rows were
  /// written anew.
  ///
  /// - Source: the documentation of FTS5, "The 'optimize' Command".
  private func joinSegments() throws {
    for table in Self.all {
      try database.execute("INSERT INTO \(table.name) (\(table.name)) VALUES ('optimize')")
    }
  }

  /// Returns nil if the album is not listed.
  private static func document(
    _ id: AlbumID, _ face: AlbumFace, _ library: Library
  ) -> SearchDocument? {
    guard let album = library.albums[id], library.isListed(album) else { return nil }
    return SearchDocument(face, songs: library.listedSongs(of: album))
  }

  private static func document(
    _ id: SongID, _ faces: [AlbumID: AlbumFace], _ library: Library
  ) -> SearchDocument? {
    guard let song = library.songs[id], !song.isGone, let album = library.albums[song.album]
    else { return nil }
    return SearchDocument(song, in: faces[album.id] ?? library.passingFace(of: album))
  }

  /// Deletes all rows that belong to no listed album or song.
  private func prune(_ library: Library) throws {
    for (tables, isListed) in [
      (Self.ofAlbums, { library.isListed(AlbumID(number: $0)) }),
      (Self.ofSongs, { library.songs[SongID(number: $0)].map { !$0.isGone } ?? false }),
    ] as [(Pair, (UInt64) -> Bool)] {
      for table in [tables.words, tables.rare] {
        let rows = try database.statement("SELECT rowid FROM \(table.name)").rows { $0.integer(0) }
        let delete = try database.statement("DELETE FROM \(table.name) WHERE rowid = ?")
        for row in rows where UInt64(exactly: row).map(isListed) != true {
          try delete.run(.integer(row))
        }
      }
    }
  }
}

/// Writes rows of one table if they differ.
private struct Writer {
  private let columns: Range<Int32>
  private let read: Statement
  private let delete: Statement
  private let insert: Statement

  init(_ table: SearchTables.Table, _ database: Database) throws {
    let name = table.name
    let list = table.columns.joined(separator: ", ")
    columns = 0..<Int32(table.columns.count)
    read = try database.statement("SELECT \(list) FROM \(name) WHERE rowid = ?")
    delete = try database.statement("DELETE FROM \(name) WHERE rowid = ?")
    let marks = table.columns.map { _ in ", ?" }.joined()
    insert = try database.statement("INSERT INTO \(name) (rowid, \(list)) VALUES (?\(marks))")
  }

  /// - Parameter tokens: the tokens of each column; nil if there has to be no row.
  /// - Returns: whether the row was another one.
  @discardableResult
  func write(_ number: UInt64, _ tokens: [[String]]?) throws -> Bool {
    let id = DatabaseValue.integer(Int64(number))
    let row = tokens?.map(SearchDocument.text)
    let known = try read.firstRow(id) { found in columns.map { found.text($0) } }
    if known == row { return false }
    if known != nil { try delete.run(id) }
    if let row { try insert.run([id] + row.map(DatabaseValue.text)) }
    return true
  }
}
