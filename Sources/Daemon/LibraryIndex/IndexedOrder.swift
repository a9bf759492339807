import Databases
import LibraryModel

/// The person's order as the tables `crates`, `albums` and `songs` have it. It follows a library by
/// writing the rows that differ. What it remembers of the tables is the crates' names and a
/// position for each crate and album; the rows of songs are read again where an album's may differ.
///
/// A copy may be thrown away with a transaction that failed.
struct IndexedOrder {
  private var crates = KeyedList<CrateID>()
  private var names: [CrateID: String] = [:]
  private var albums: [CrateID: KeyedList<AlbumID>] = [:]

  private init() {}

  /// Reads the tables. Where what they say is no order, they are emptied.
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
    guard let list = KeyedList(crates.compactMap(\.id), positions: crates.map(\.position)) else {
      return nil
    }
    order.crates = list
    try database.execute("DELETE FROM albums WHERE crate NOT IN (SELECT id FROM crates)")
    for (id, crate) in zip(list.items, crates) {
      let albums =
        try database
        .statement("SELECT id, position FROM albums WHERE crate = ? ORDER BY position")
        .rows(.text(id.description)) { (id: AlbumID($0.text(0)), position: $0.integer(1)) }
      order.names[id] = crate.name
      order.albums[id] = KeyedList(albums.compactMap(\.id), positions: albums.map(\.position))
      if order.albums[id] == nil { return nil }
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
    let (written, removed) = crates.become(library.crates.map(\.id))
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
      // Byte for byte: two normalisations are two spellings.
      let isNamedSo = names[crate.id]?.utf8.elementsEqual(crate.name.utf8) ?? false
      if isNamedSo && !moved.contains(crate.id) { continue }
      try write.run(.text(crate.id.description), .text(crate.name), .integer(position))
      names[crate.id] = crate.name
    }
  }

  private mutating func followAlbums(
    of crate: Crate, _ library: Library, _ database: Database
  ) throws {
    let (written, removed) = albums[crate.id, default: KeyedList()].become(Array(crate.albums))
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

  /// Deletes the rows of albums that left a crate, but for those that are in another one now.
  private static func delete(
    _ albums: [AlbumID], _ library: Library, _ database: Database
  ) throws {
    let delete = try database.statement("DELETE FROM albums WHERE id = ?")
    for album in albums where library.albums[album] == nil {
      try delete.run(.text(album.description))
    }
  }
}
