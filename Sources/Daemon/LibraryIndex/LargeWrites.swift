import Databases

/// Memory for a write of much, such as after a first scan, which takes longer with the little that
/// suffices otherwise. Eight times as much as this makes it a tenth quicker, and the daemon nearly
/// twice as large while it lasts.
enum LargeWrites {
  /// Kibibytes of pages: rows come in another order than some of the tables have.
  private static let cache = 8_192
  /// Bytes of words that FTS5 gathers before it writes them: each writing makes a piece that has to
  /// be put together with the others later.
  private static let gathered = 4_194_304
  /// SQLite's own.
  private static let usual = (cache: 2_000, gathered: 1_048_576)

  static func prepare(_ database: Database) throws {
    try set(cache, gathered, database)
  }

  static func end(_ database: Database) throws {
    try set(usual.cache, usual.gathered, database)
    // The tables are let go of, and with them FTS5's room for words, which does not shrink.
    try database.execute("PRAGMA writable_schema = RESET; PRAGMA shrink_memory")
  }

  private static func set(_ cache: Int, _ gathered: Int, _ database: Database) throws {
    try database.execute("PRAGMA cache_size = -\(cache)")
    for table in SearchTables.all {
      try database.execute(
        "INSERT INTO \(table.name) (\(table.name), rank) VALUES ('hashsize', \(gathered))")
    }
  }
}
