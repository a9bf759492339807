package import Databases

/// The databases in which programs keep their lists, told apart by their tables.
package enum ProgramDatabase {
  /// Bytes of its beginning by which one is known.
  package static let headerBytes = 16

  private static let magic = Array("SQLite format 3\u{0}".utf8)

  package static func isOne(_ beginning: [UInt8]) -> Bool { beginning.starts(with: magic) }

  /// Whether its changes are in a log beside it, by its header.
  static func hasLog(_ header: [UInt8]) -> Bool { header.count > 19 && header[19] == 2 }

  /// A list file of a file's bytes, without what a journal beside it may have.
  static func file(_ bytes: [UInt8]) throws(ListFault) -> ListFile {
    var bytes = bytes
    // A copy in memory can have no log.
    if hasLog(bytes) { (bytes[18], bytes[19]) = (1, 1) }
    let database: Database
    do throws(DatabaseError) {
      database = try Database(bytes: bytes)
    } catch {
      throw fault(error)
    }
    return try file(database)
  }

  /// All of it as it is at one moment.
  ///
  /// - Parameter seal: called when all that SQLite needs is open, and nothing but the header of
  ///   what a stranger may have written was looked at.
  package static func file(
    _ database: Database, sealing seal: () -> Void = {}
  ) throws(ListFault) -> ListFile {
    do {
      try database.distrust(steps: ListLimits.databaseSteps)
      return try database.transaction(writes: false) { database in
        // Asking takes the lock, and opens the log.
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

/// What there is in a program's database: versions differ in their columns.
struct ProgramTables {
  let database: Database
  /// Columns by table, both in small letters.
  private var columns: [String: Set<String>] = [:]

  init(_ database: Database) throws {
    self.database = database
    // Views are not asked: they could be anything.
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

  /// The first of the columns that the table has; an empty value where it has none.
  ///
  /// - Parameter name: what the table goes by in the statement.
  func column(_ candidates: String..., of table: String, as name: String) -> String {
    candidates.first { has(table, $0) }.map { "\(name).\($0)" } ?? "NULL"
  }

  func require(_ needed: [(table: String, column: String)]) throws(ListFault) {
    for (table, column) in needed where !has(table, column) {
      throw ListFault(
        .file,
        "the database has no “\(column)” in its table “\(table)”: its program keeps its"
          + " lists in a way that isn't known here")
    }
  }
}

/// The lists that are read of a program's database.
struct ProgramLists {
  private(set) var file = ListFile()
  private var count = ListCount()

  /// Reads lists of one kind.
  ///
  /// - Parameters:
  ///   - lists: asks for the id and the name of each list, and for what `reason` wants.
  ///   - songs: asks for the fields of each song of the list whose id it is given.
  ///   - reason: why a list is left out; nil for one that is read.
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
