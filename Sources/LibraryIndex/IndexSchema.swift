import GRDB

/// The tables. There are no migrations: another version is set aside and built anew.
enum IndexSchema {
  /// Changes with every change below.
  static let version = 1

  static func create(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE file (
          path BLOB PRIMARY KEY NOT NULL,     -- absolute, as the kernel has it
          song INTEGER NOT NULL,              -- the song's id as a number
          file_system INTEGER NOT NULL, inode INTEGER NOT NULL, birth INTEGER NOT NULL,
          size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL,
          digest_high INTEGER, digest_low INTEGER,
          format TEXT NOT NULL, milliseconds INTEGER NOT NULL, bit_rate INTEGER NOT NULL,
          sample_rate INTEGER NOT NULL, channels INTEGER NOT NULL, codec TEXT NOT NULL,
          title TEXT NOT NULL, artist TEXT NOT NULL, album TEXT NOT NULL,
          album_artist TEXT NOT NULL, composer TEXT NOT NULL, genre TEXT NOT NULL,
          date TEXT NOT NULL, original_date TEXT NOT NULL,
          disc INTEGER, disc_total INTEGER, track INTEGER, track_total INTEGER,
          compilation INTEGER NOT NULL,
          title_sort TEXT NOT NULL, artist_sort TEXT NOT NULL, album_sort TEXT NOT NULL,
          album_artist_sort TEXT NOT NULL,
          recording TEXT NOT NULL, release TEXT NOT NULL, release_artist TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE folder (
          path BLOB PRIMARY KEY NOT NULL,
          file_system INTEGER NOT NULL, inode INTEGER NOT NULL, birth INTEGER NOT NULL,
          scanned INTEGER NOT NULL            -- its first scan has ended
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE library (sequence INTEGER NOT NULL) STRICT;
        INSERT INTO library VALUES (0);
        PRAGMA user_version = \(version);
        """)
  }

  static let columns = [
    "path", "song", "file_system", "inode", "birth", "size", "modified", "changed", "digest_high",
    "digest_low", "format", "milliseconds", "bit_rate", "sample_rate", "channels", "codec", "title",
    "artist", "album", "album_artist", "composer", "genre", "date", "original_date", "disc",
    "disc_total", "track", "track_total", "compilation", "title_sort", "artist_sort", "album_sort",
    "album_artist_sort", "recording", "release", "release_artist",
  ]
}
