import Databases
import LibraryModel

/// The user's order in the tables `crates`, `albums` and `songs`. An update writes the rows that
/// differ from a library. The crates' names and the positions of crates and albums are cached here;
/// the rows of an album's songs are read again when they may differ.
///
/// It is a value: after a failed transaction, the copy from before it is still right. Functions
/// throw a `DatabaseError` if SQLite fails; the transaction has to be rolled back then.
struct IndexedOrder {
  private var crates = PositionedList<CrateID>()
  private var names: [CrateID: String] = [:]
  private var albums: [CrateID: PositionedList<AlbumID>] = [:]

  private init() {}

  /// Reads the tables, and empties them if they hold no valid order.
  init(reading database: Database) throws {
    if let read = try Self.read(database) {
      self = read
    } else {
      self.init()
      try database.execute("DELETE FROM crates; DELETE FROM albums; DELETE FROM songs")
    }
  }

  private static func read(_ database: Database) throws -> IndexedOrder? {
    var order = IndexedOrder()
    let crates = try database.statement("SELECT id, position, name FROM crates ORDER BY position")
      .rows { (id: CrateID($0.text(0)), position: $0.integer(1), name: $0.text(2)) }
    guard let list = PositionedList(crates.compactMap(\.id), positions: crates.map(\.position))
    else { return nil }
    order.crates = list
    try database.execute("DELETE FROM albums WHERE crate NOT IN (SELECT id FROM crates)")
    for (id, crate) in zip(list.items, crates) {
      let albums =
        try database
        .statement("SELECT id, position FROM albums WHERE crate = ? ORDER BY position")
        .rows(.text(id.description)) { (id: AlbumID($0.text(0)), position: $0.integer(1)) }
      order.names[id] = crate.name
      order.albums[id] = PositionedList(albums.compactMap(\.id), positions: albums.map(\.position))
      if order.albums[id] == nil { return nil }
    }
    return order
  }

  /// Updates the tables to the library.
  ///
  /// - Parameter albums: the albums whose songs, or their order or state, may differ from what was
  ///   written last; nil: all.
  /// - Returns: the songs that are no longer in their album; they may be in another one.
  mutating func update(
    to library: Library, albums: Set<AlbumID>?, _ database: Database
  ) throws -> [SongID] {
    try updateCrates(to: library, database)
    for crate in library.crates { try updateAlbums(of: crate, library, database) }
    if albums == nil {
      try database.execute("DELETE FROM songs WHERE album NOT IN (SELECT id FROM albums)")
    }
    var removed: [SongID] = []
    // In the order of the table: SQLite touches each page once.
    let ids = albums ?? Set(library.crates.lazy.flatMap(\.albums))
    for id in ids.sorted() { removed += try Self.updateSongs(of: id, library, database) }
    return removed
  }

  private mutating func updateCrates(to library: Library, _ database: Database) throws {
    let (written, removed) = crates.update(to: library.crates.map(\.id))
    for id in removed {
      try database.statement("DELETE FROM crates WHERE id = ?").run(.text(id.description))
      try Self.delete(albums[id]?.items ?? [], library, database)
      (names[id], albums[id]) = (nil, nil)
    }
    let write = try database.statement(
      """
      INSERT INTO crates (id, name, position) VALUES (?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, position = excluded.position
      """)
    let moved = Set(written.map(\.item))
    for (crate, position) in zip(library.crates, crates.positions) {
      // Compares bytes: `==` would take two normalisations for one name.
      let hasName = names[crate.id]?.utf8.elementsEqual(crate.name.utf8) ?? false
      if hasName && !moved.contains(crate.id) { continue }
      try write.run(.text(crate.id.description), .text(crate.name), .integer(position))
      names[crate.id] = crate.name
    }
  }

  private mutating func updateAlbums(
    of crate: Crate, _ library: Library, _ database: Database
  ) throws {
    let (written, removed) = albums[crate.id, default: PositionedList()]
      .update(to: Array(crate.albums))
    try Self.delete(removed, library, database)
    if written.isEmpty { return }
    let write = try database.statement(
      """
      INSERT INTO albums (id, crate, position) VALUES (?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET crate = excluded.crate, position = excluded.position
      """)
    for (album, position) in written {
      try write.run(
        .text(album.description), .text(crate.id.description), .integer(position))
    }
  }

  /// Deletes the rows of albums that left a crate, except those that are in another one now.
  private static func delete(
    _ albums: [AlbumID], _ library: Library, _ database: Database
  ) throws {
    let delete = try database.statement("DELETE FROM albums WHERE id = ?")
    for album in albums where library.albums[album] == nil {
      try delete.run(.text(album.description))
    }
  }
}
