import Databases
import LibraryModel

/// The person's order as the tables `crates`, `albums` and `songs` have it. It follows a library by
/// writing the rows that differ. What it remembers of the tables is a key for each album; the rows
/// of songs are read again where an album's may differ.
///
/// Copies may be thrown away with a transaction that failed.
struct IndexedOrder {
  private struct IndexedCrate {
    var row: Int64
    var name: String
    var albums = KeyedList<AlbumID>()
  }

  private var list = KeyedList<CrateID>()
  private var crates: [CrateID: IndexedCrate] = [:]
  private var nextRow: Int64 = 1

  private init() {}

  /// What the tables say, as far as it fits the library. Where it makes no sense, they are emptied.
  init(reading database: Database, _ library: Library) throws {
    if let read = try Self.read(database, library) {
      self = read
    } else {
      self.init()
      try database.execute("DELETE FROM crates; DELETE FROM albums; DELETE FROM songs")
    }
  }

  private static func read(_ database: Database, _ library: Library) throws -> IndexedOrder? {
    var order = IndexedOrder()
    var items: [CrateID] = []
    var keys: [Int64] = []
    let crates = try database.statement("SELECT id, name, position FROM crates ORDER BY position")
      .rows { (row: $0.integer(0), name: $0.text(1), key: $0.integer(2)) }
    for (row, name, key) in crates {
      order.nextRow = max(order.nextRow, row + 1)
      guard let crate = library.crates.first(where: { $0.name == name }) else {
        try database.statement("DELETE FROM crates WHERE id = ?").run(.integer(row))
        continue
      }
      items.append(crate.id)
      keys.append(key)
      order.crates[crate.id] = IndexedCrate(row: row, name: name)
    }
    guard let list = KeyedList(items, keys: keys) else { return nil }
    order.list = list
    try database.execute("DELETE FROM albums WHERE crate NOT IN (SELECT id FROM crates)")
    for (id, crate) in order.crates {
      let rows =
        try database
        .statement("SELECT id, position FROM albums WHERE crate = ? ORDER BY position")
        .rows(.integer(crate.row)) { (id: $0.text(0), key: $0.integer(1)) }
      let albums = rows.compactMap { AlbumID($0.id) }
      guard let list = KeyedList(albums, keys: rows.map(\.key)) else { return nil }
      order.crates[id]?.albums = list
    }
    return order
  }

  /// Brings the tables to the library.
  ///
  /// - Parameter albums: whose songs, their order or their state may differ from what was written
  ///   last; nil: all.
  /// - Returns: songs that were taken out of an album; another one may have them.
  mutating func follow(
    _ library: Library, albums: Set<AlbumID>?, _ database: Database
  ) throws -> [SongID] {
    try followCrates(library, database)
    for crate in library.crates { try followAlbums(of: crate, library, database) }
    if albums == nil {
      try database.execute("DELETE FROM songs WHERE album NOT IN (SELECT id FROM albums)")
    }
    var removed: [SongID] = []
    // In the order of the table, which SQLite likes best.
    let ids = albums ?? Set(library.crates.lazy.flatMap(\.albums))
    for id in ids.sorted() { removed += try Self.followSongs(of: id, library, database) }
    return removed
  }

  private mutating func followCrates(_ library: Library, _ database: Database) throws {
    let (written, removed) = list.become(library.crates.map(\.id))
    for id in removed {
      if let row = crates[id]?.row {
        try database.statement("DELETE FROM crates WHERE id = ?").run(.integer(row))
      }
      // The crate's albums are in other crates now, or nowhere.
      for album in crates[id]?.albums.items ?? [] where library.albums[album] == nil {
        try Self.delete(album, database)
      }
      crates[id] = nil
    }
    let keys = Dictionary(written.map { ($0.item, $0.key) }) { $1 }
    for crate in library.crates {
      let known = crates[crate.id]
      if let key = keys[crate.id] {
        let row = known?.row ?? nextRow
        if known == nil {
          crates[crate.id] = IndexedCrate(row: row, name: crate.name)
          nextRow += 1
        }
        try database.statement(
          """
          INSERT INTO crates (id, name, position) VALUES (?, ?, ?)
          ON CONFLICT (id) DO UPDATE SET position = excluded.position
          """
        ).run(.integer(row), .text(crate.name), .integer(key))
      }
      // Byte for byte: two normalisations are two spellings.
      if let known, !known.name.utf8.elementsEqual(crate.name.utf8) {
        try database.statement("UPDATE crates SET name = ? WHERE id = ?")
          .run(.text(crate.name), .integer(known.row))
        crates[crate.id]?.name = crate.name
      }
    }
  }

  private mutating func followAlbums(
    of crate: Crate, _ library: Library, _ database: Database
  ) throws {
    guard let row = crates[crate.id]?.row,
      let (written, removed) = crates[crate.id]?.albums.become(Array(crate.albums))
    else { preconditionFailure("a crate of the library has a row") }
    if written.isEmpty && removed.isEmpty { return }
    for album in removed where library.albums[album] == nil { try Self.delete(album, database) }
    let write = try database.statement(
      """
      INSERT INTO albums (id, crate, position) VALUES (?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET crate = excluded.crate, position = excluded.position
      """)
    for (album, key) in written {
      try write.run(.text(album.description), .integer(row), .integer(key))
    }
  }

  private static func delete(_ album: AlbumID, _ database: Database) throws {
    try database.statement("DELETE FROM albums WHERE id = ?").run(.text(album.description))
  }
}
