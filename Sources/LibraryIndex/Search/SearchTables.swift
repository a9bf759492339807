import GRDB
import LibraryModel

/// The words of the albums and songs that are listed. The rows have the ids' numbers, so that
/// nothing depends on the order in which they came.
struct SearchTables {
  /// What is looked for in most searches, and the paths, which few ask for: by them, beginnings of
  /// words take longer to find.
  struct Table {
    var name: String
    var columns: [String]
    var options = ""
  }

  /// A table of words and one of paths.
  struct Pair {
    var words: Table
    var paths: Table

    fileprivate init(_ kind: String, _ columns: [String]) {
      words = Table(name: "\(kind)_words", columns: columns, options: ", prefix = '1 2 3'")
      paths = Table(name: "\(kind)_paths", columns: ["path"])
    }
  }

  static let ofAlbums = Pair("album", ["artist", "album", "year"])
  static let ofSongs = Pair("song", ["artist", "album", "title", "year"])

  /// The texts of a row of both tables, in the order of their columns.
  private typealias Row = [String]

  /// Documents that are kept back, so that they can be written in the order of their rows, by which
  /// FTS5 needs a fraction of the time.
  private static let most = 4096

  private let database: Database
  /// Nil: deleted.
  private var albums: [Int64: Row?] = [:]
  private var songs: [Int64: Row?] = [:]
  private var rowsWritten = 0

  init(_ database: Database) {
    self.database = database
  }

  static func create(_ database: Database) throws {
    for table in [ofAlbums, ofSongs].flatMap({ [$0.words, $0.paths] }) {
      // The text is all lower case already, and beyond ASCII all is a letter. Sizes are for a kind
      // of ranking that is not used.
      try database.execute(
        sql: """
          CREATE VIRTUAL TABLE \(table.name) USING fts5 (
            \(table.columns.joined(separator: ", ")), tokenize = 'ascii', columnsize = 0
            \(table.options))
          """)
    }
  }

  /// Brings the tables to the library.
  ///
  /// - Parameters:
  ///   - albums: as for `IndexedOrder.follow`.
  ///   - removed: songs that may be in no album any longer.
  /// - Returns: how many rows differed.
  consuming func follow(
    _ library: Library, albums: Set<AlbumID>?, removed: [SongID]
  ) throws -> Int {
    if albums == nil { try prune(library) }
    for id in removed where library.songs[id] == nil { songs[Int64(id.number)] = .some(nil) }
    for id in albums ?? Set(library.crates.lazy.flatMap(\.albums)) {
      note(id, library)
      if songs.count >= Self.most { try write() }
    }
    try write()
    return rowsWritten
  }

  /// What the album and its songs look like now, if they are listed.
  private mutating func note(_ id: AlbumID, _ library: Library) {
    guard let album = library.albums[id], library.isListed(album) else {
      albums[Int64(id.number)] = .some(nil)
      for song in library.albums[id].map(library.songs(of:)) ?? [] {
        songs[Int64(song.id.number)] = .some(nil)
      }
      return
    }
    let face = library.face(of: album)
    var documents: [SearchDocument] = []
    for song in library.songs(of: album) {
      if song.isGone {
        songs[Int64(song.id.number)] = .some(nil)
        continue
      }
      let document = SearchDocument(song, in: face)
      documents.append(document)
      songs[Int64(song.id.number)] = [
        document.artist, document.album, document.title, document.year, document.path,
      ].map(SearchDocument.text)
    }
    let document = SearchDocument(face, songs: documents)
    albums[Int64(id.number)] = [
      document.artist, document.album, document.year, document.path,
    ].map(SearchDocument.text)
  }

  /// Deletes what is not listed, wherever it came from.
  private func prune(_ library: Library) throws {
    for (tables, isListed) in [
      (Self.ofAlbums, { library.isListed(AlbumID(number: UInt64($0))) }),
      (Self.ofSongs, { library.songs[SongID(number: UInt64($0))].map { !$0.isGone } ?? false }),
    ] as [(Pair, (Int64) -> Bool)] {
      for table in [tables.words, tables.paths] {
        let rows = try Int64.fetchAll(database, sql: "SELECT rowid FROM \(table.name)")
        for row in rows where row < 0 || !isListed(row) {
          try database.execute(
            sql: "DELETE FROM \(table.name) WHERE rowid = ?", arguments: [row])
        }
      }
    }
  }

  /// Writes what differs.
  private mutating func write() throws {
    for (rows, tables) in [(albums, Self.ofAlbums), (songs, Self.ofSongs)] {
      let rows = rows.sorted { $0.key < $1.key }
      let count = tables.words.columns.count
      try write(rows.lazy.map { ($0, $1?[..<count]) }, tables.words)
      try write(rows.lazy.map { ($0, $1?[count...]) }, tables.paths)
    }
    (albums, songs) = ([:], [:])
  }

  private mutating func write(_ rows: some Sequence<(Int64, ArraySlice<String>?)>, _ table: Table)
    throws
  {
    let (name, columns) = (table.name, table.columns)
    let list = columns.joined(separator: ", ")
    let read = try database.cachedStatement(sql: "SELECT \(list) FROM \(name) WHERE rowid = ?")
    let delete = try database.cachedStatement(sql: "DELETE FROM \(name) WHERE rowid = ?")
    let insert = try database.cachedStatement(
      sql: "INSERT INTO \(name) (rowid, \(list)) VALUES (?\(columns.map { _ in ", ?" }.joined()))")
    for (id, row) in rows {
      let known = try GRDB.Row.fetchOne(read, arguments: [id]).map { found in
        columns.indices.map { found[$0] as String }
      }
      if known == row.map(Array.init) { continue }
      rowsWritten += 1
      if known != nil { try delete.execute(arguments: [id]) }
      if let row { try insert.execute(arguments: [id] + StatementArguments(row)) }
    }
  }
}
