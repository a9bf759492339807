import GRDB
import LibraryModel

/// The words of the albums and songs that are listed, in the tables `album_words` and `song_words`.
/// Their rows have the ids' numbers, so that nothing depends on the order in which they came.
struct SearchTables {
  private struct Row: Equatable {
    var artist: String
    var album: String
    var title: String

    init(_ document: SearchDocument) {
      artist = SearchDocument.text(document.artist)
      album = SearchDocument.text(document.album)
      title = SearchDocument.text(document.title)
    }

    init(artist: String, album: String, title: String) {
      (self.artist, self.album, self.title) = (artist, album, title)
    }
  }

  /// Documents that are kept back, so that they can be written in the order of their rows, by which
  /// FTS5 needs a fraction of the time.
  private static let most = 4096

  private let database: Database
  /// Nil: deleted.
  private var albums: [Int64: Row?] = [:]
  private var songs: [Int64: Row?] = [:]

  init(_ database: Database) {
    self.database = database
  }

  static func create(_ database: Database) throws {
    // The text is all lower case already, and beyond ASCII all is a letter. Sizes are for a kind of
    // ranking that is not used.
    let options = "tokenize = 'ascii', prefix = '1 2 3', columnsize = 0"
    try database.execute(
      sql: """
        CREATE VIRTUAL TABLE album_words USING fts5 (artist, album, \(options));
        CREATE VIRTUAL TABLE song_words USING fts5 (artist, album, title, \(options));
        """)
  }

  /// Brings the tables to the library.
  ///
  /// - Parameters:
  ///   - albums: as for `IndexedOrder.follow`.
  ///   - removed: songs that may be in no album any longer.
  consuming func follow(
    _ library: Library, albums: Set<AlbumID>?, removed: [SongID]
  ) throws {
    if albums == nil { try prune(library) }
    for id in removed where library.songs[id] == nil { songs[Int64(id.number)] = .some(nil) }
    for id in albums ?? Set(library.crates.lazy.flatMap(\.albums)) {
      note(id, library)
      if songs.count >= Self.most { try write() }
    }
    try write()
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
    let document = SearchDocument(face)
    albums[Int64(id.number)] = Row(document)
    for song in library.songs(of: album) {
      songs[Int64(song.id.number)] =
        song.isGone ? .some(nil) : Row(SearchDocument(song, face, of: document))
    }
  }

  /// Deletes what is not listed, wherever it came from.
  private func prune(_ library: Library) throws {
    for (table, isListed) in [
      ("album_words", { library.isListed(AlbumID(number: UInt64($0))) }),
      ("song_words", { library.songs[SongID(number: UInt64($0))].map { !$0.isGone } ?? false }),
    ] as [(String, (Int64) -> Bool)] {
      let rows = try Int64.fetchAll(database, sql: "SELECT rowid FROM \(table)")
      for row in rows where row < 0 || !isListed(row) {
        try database.execute(sql: "DELETE FROM \(table) WHERE rowid = ?", arguments: [row])
      }
    }
  }

  /// Writes what differs.
  private mutating func write() throws {
    try write(albums, "album_words", ["artist", "album"])
    try write(songs, "song_words", ["artist", "album", "title"])
    (albums, songs) = ([:], [:])
  }

  private func write(_ rows: [Int64: Row?], _ table: String, _ columns: [String]) throws {
    let list = columns.joined(separator: ", ")
    let read = try database.cachedStatement(sql: "SELECT \(list) FROM \(table) WHERE rowid = ?")
    let delete = try database.cachedStatement(sql: "DELETE FROM \(table) WHERE rowid = ?")
    let insert = try database.cachedStatement(
      sql: "INSERT INTO \(table) (rowid, \(list)) VALUES (?\(columns.map { _ in ", ?" }.joined()))")
    for (id, row) in rows.sorted(by: { $0.key < $1.key }) {
      let known = try GRDB.Row.fetchOne(read, arguments: [id]).map {
        Row(artist: $0[0], album: $0[1], title: columns.count > 2 ? $0[2] : "")
      }
      if known == row { continue }
      if known != nil { try delete.execute(arguments: [id]) }
      guard let row else { continue }
      let values = [row.artist, row.album, row.title].prefix(columns.count)
      try insert.execute(arguments: [id] + StatementArguments(values))
    }
  }
}
