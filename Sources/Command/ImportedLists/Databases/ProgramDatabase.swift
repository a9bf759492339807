package import Databases

/// The databases of Mixxx, Strawberry and Clementine, recognised by their tables.
package enum ProgramDatabase {
  /// The number of bytes at the beginning that identify a database.
  package static let headerBytes = 16

  private static let magic = Array("SQLite format 3\u{0}".utf8)

  package static func isOne(_ beginning: [UInt8]) -> Bool { beginning.starts(with: magic) }

  /// Whether the header says that the database has a write-ahead log.
  static func hasLog(_ header: [UInt8]) -> Bool { header.count > 19 && header[19] == 2 }

  /// Reads the lists in the bytes of a database, without its journal.
  static func file(_ bytes: [UInt8]) throws(ListFault) -> ListFile {
    var bytes = bytes
    // An in-memory database cannot have a write-ahead log.
    if hasLog(bytes) { (bytes[18], bytes[19]) = (1, 1) }
    let database: Database
    do throws(DatabaseError) {
      database = try Database(bytes: bytes)
    } catch {
      throw fault(error)
    }
    return try file(database)
  }

  /// Reads the lists in a database in one transaction.
  ///
  /// - Parameter seal: called when SQLite has opened all files, and has read only the header of
  ///   what another program wrote.
  /// - Throws: a `ListFault` if the database is damaged, locked, or of no known program.
  package static func file(
    _ database: Database, sealing seal: () -> Void = {}
  ) throws(ListFault) -> ListFile {
    do {
      try database.distrust(steps: ListLimits.databaseSteps)
      return try database.transaction(writes: false) { database in
        // Takes the lock, and opens the log.
        _ = try database.integer("PRAGMA schema_version")
        seal()
        let tables = try ProgramTables(database)
        if tables.has("PlaylistTracks") { return try Mixxx.file(tables) }
        if tables.has("playlist_items") { return try Strawberry.file(tables) }
        throw ListFault(
          .file, "a database, but not one of Strawberry, Clementine or Mixxx")
      }
    } catch let error as ListFault {
      throw error
    } catch let error as DatabaseError {
      throw fault(error)
    } catch {
      throw ListFault(.file, "\(error)")
    }
  }

  static func fault(_ error: DatabaseError) -> ListFault {
    if error.isInterrupted {
      return ListFault(.file, "the database takes too long to read; is it damaged?")
    }
    return ListFault(
      .file, error.isDamage ? "a damaged database (\(error.message))" : error.description,
      isUnreadable: error.isUnreadable)
  }
}

/// The tables and columns of a program's database, which differ between versions.
struct ProgramTables {
  let database: Database
  /// The columns by table, both in lower case.
  private var columns: [String: Set<String>] = [:]

  init(_ database: Database) throws {
    self.database = database
    // Without views, which could compute anything.
    let names = try database.statement("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .rows { $0.text(0).lowercased() }
    for name in names where Self.known.contains(name) {
      let found = try database.statement("SELECT name FROM pragma_table_info(?)")
        .rows(.text(name)) { $0.text(0).lowercased() }
      columns[name] = Set(found)
    }
  }

  private static let known: Set = [
    "playlists", "playlist_items", "songs", "playlisttracks", "library", "track_locations",
    "crates", "crate_tracks",
  ]

  func has(_ table: String) -> Bool { columns[table.lowercased()] != nil }

  func has(_ table: String, _ column: String) -> Bool {
    columns[table.lowercased()]?.contains(column) ?? false
  }

  /// Returns the first of the columns that the table has, or NULL.
  ///
  /// - Parameter name: the table's name in the statement.
  func column(_ candidates: String..., of table: String, as name: String) -> String {
    candidates.first { has(table, $0) }.map { "\(name).\($0)" } ?? "NULL"
  }

  /// - Throws: a `ListFault` that names the first column that is missing.
  func require(_ needed: [(table: String, column: String)]) throws(ListFault) {
    for (table, column) in needed where !has(table, column) {
      throw ListFault(
        .file,
        "the database has no “\(column)” in its table “\(table)”: its program keeps its"
          + " lists in a way that isn't known here")
    }
  }
}

/// Collects the lists of a program's database.
struct ProgramLists {
  private(set) var file = ListFile()
  private var count = ListCount()

  /// Reads lists of one kind.
  ///
  /// - Parameters:
  ///   - lists: selects the id and the name of each list, and the columns that `reason` reads.
  ///   - songs: selects the fields of the songs of the list with a given id.
  ///   - reason: returns why a list is left out; nil: it is read.
  /// - Throws: a `ListFault` beyond a limit, or a `DatabaseError`.
  mutating func read(
    _ lists: Statement, songs: Statement, fields: [WantedSong.Field], isOrdered: Bool = true,
    reason: (borrowing Row) -> LeftOutList.Reason?
  ) throws {
    let found = try lists.rows { row in
      try count.addList()
      return (id: row.integer(0), name: words(row.text(1)), reason: reason(row))
    }
    for known in found {
      if let reason = known.reason {
        file.leftOut.append(LeftOutList(name: known.name, reason: reason))
        continue
      }
      var list = ImportedList(name: known.name)
      list.isOrdered = isOrdered
      try songs.forEachRow(.integer(known.id)) { row in
        try count.addSong()
        var song = WantedSong()
        for (place, field) in fields.enumerated() { song.set(field, to: row.text(Int32(place))) }
        list.songs.append(song)
      }
      file.lists.append(list)
    }
  }
}
