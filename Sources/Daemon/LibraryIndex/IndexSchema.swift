import Databases

/// The tables of the index. There are no migrations: an index of another version is set aside and
/// built anew.
enum IndexSchema {
  /// Must change with every change of the tables.
  static let version = 10

  static func create(_ database: Database) throws {
    try database.execute(
      """
      CREATE TABLE file (
        path BLOB PRIMARY KEY NOT NULL,     -- absolute, as the kernel has it
        song INTEGER NOT NULL,              -- the song's id as a number
        facts BLOB NOT NULL,                -- all that was read of it, for crated alone
        size INTEGER NOT NULL, modified INTEGER NOT NULL, format TEXT NOT NULL,
        milliseconds INTEGER NOT NULL, title TEXT NOT NULL, artist TEXT NOT NULL,
        album TEXT NOT NULL, album_artist TEXT NOT NULL, composer TEXT NOT NULL,
        genre TEXT NOT NULL, date TEXT NOT NULL, disc INTEGER, track INTEGER
      ) STRICT, WITHOUT ROWID;
      -- The person's order: database.md. A position only says what stands above what.
      CREATE TABLE crates (
        id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, position INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE albums (
        id TEXT PRIMARY KEY NOT NULL,
        crate TEXT NOT NULL,                -- crates.id
        position INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX albums_in_order ON albums (crate, position);
      CREATE TABLE songs (
        id TEXT PRIMARY KEY NOT NULL,
        album TEXT NOT NULL,                -- albums.id
        position INTEGER NOT NULL,
        gone INTEGER NOT NULL,              -- its file is not there, its place is kept
        path BLOB NOT NULL                  -- where its file is, or was last
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX songs_in_order ON songs (album, position);
      CREATE VIEW listing AS
        SELECT crates.name AS crate, albums.id AS album, songs.id AS song, songs.gone,
          file.album_artist, file.album AS album_title, file.artist, file.title,
          CAST(songs.path AS TEXT) AS path
        FROM crates JOIN albums ON albums.crate = crates.id
          JOIN songs ON songs.album = albums.id
          LEFT JOIN file ON file.path = songs.path AND NOT songs.gone
        ORDER BY crates.position, albums.position, songs.position;
      CREATE TABLE library (
        sequence INTEGER NOT NULL           -- of the library that the order is that of
      ) STRICT;
      INSERT INTO library VALUES (0);
      PRAGMA user_version = \(version);
      """)
    try SearchTables.create(database)
  }
}
