import Databases

/// Puts together what many writes have left in pieces: in 100,000 songs SQLite then finds things in
/// little more than half the time. In small steps, since nothing else is written meanwhile.
struct SearchTidying {
  /// Rows that have to be written before it is worth the trouble.
  static let worthRows = 2_000
  /// Pages that are put together in one step: some 30 ms.
  private static let pages = 500

  private var rows = 0
  private var tables: [(name: String, hasBegun: Bool)] = []

  var isWanted: Bool { !tables.isEmpty }

  mutating func note(rows written: Int) {
    rows += written
    guard rows >= Self.worthRows else { return }
    rows = 0
    tables = SearchTables.all.reversed().map { ($0.name, false) }
  }

  /// SQLite's documentation of FTS5, 6.8: the first call, of a negative number, takes everything;
  /// when one changes less than two rows, that was all.
  mutating func step(_ database: Database) throws {
    guard let (name, hasBegun) = tables.first else { return }
    let before = database.changesCount
    try database.statement("INSERT INTO \(name) (\(name), rank) VALUES ('merge', ?)")
      .run(.integer(hasBegun ? Self.pages : -Self.pages))
    if database.changesCount - before < 2 {
      tables.removeFirst()
    } else {
      tables[0].hasBegun = true
    }
  }

  mutating func giveUp() { tables = [] }
}
