import Databases
import TestSupport

@testable import ImportedLists

/// Databases as the programs make them, as far as their lists go.
enum ProgramMaker {
  /// Strawberry's, of schema 15 to 20.
  static let strawberry = """
    CREATE TABLE songs (title TEXT, album TEXT, artist TEXT, albumartist TEXT,
      track INTEGER NOT NULL DEFAULT -1, disc INTEGER NOT NULL DEFAULT -1,
      length INTEGER NOT NULL DEFAULT 0, url TEXT NOT NULL, musicbrainz_recording_id TEXT,
      musicbrainz_album_id TEXT);
    CREATE TABLE playlists (name TEXT NOT NULL, last_played INTEGER NOT NULL DEFAULT -1,
      ui_order INTEGER NOT NULL DEFAULT 0, special_type TEXT, ui_path TEXT,
      is_favorite INTEGER NOT NULL DEFAULT 0, dynamic_playlist_type INTEGER,
      dynamic_playlist_backend TEXT, dynamic_playlist_data BLOB);
    CREATE TABLE playlist_items (playlist INTEGER NOT NULL, type INTEGER NOT NULL DEFAULT 0,
      collection_id INTEGER, playlist_url TEXT, title TEXT, album TEXT, artist TEXT,
      albumartist TEXT, track INTEGER, disc INTEGER, length INTEGER, url TEXT,
      musicbrainz_recording_id TEXT, musicbrainz_album_id TEXT);
    INSERT INTO songs VALUES ('So What', 'Kind of Blue', 'Miles Davis', 'Miles Davis', 1, 1,
      562000000000, 'file:///home/ada/Music/Kind%20of%20Blue/01.flac',
      '0b9a2b4c-1111-4222-8333-444455556669', '0b9a2b4c-1111-4222-8333-444455556670');
    INSERT INTO playlists (name, ui_order, special_type, is_favorite, dynamic_playlist_type) VALUES
      ('Second', 1, '', 0, 0), ('First', 0, NULL, 0, NULL), ('Closed', -1, '', 0, 0),
      ('Favourite', -1, '', 1, 0), ('Most played', 2, '', 0, 1), ('Jamendo', 3, 'jamendo', 0, 0);
    INSERT INTO playlist_items (playlist, type, collection_id, title, artist, album, track, disc,
      length, url) VALUES
      (2, 1, NULL, 'Own', 'Ada', '', -1, -1, 60000000000, 'file:///home/ada/own.mp3'),
      (1, 1, NULL, 'Elsewhere', '', '', 0, 0, -1, 'http://radio.example/'),
      (2, 2, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
      (3, 1, NULL, 'Closed', '', '', 0, 0, 0, 'file:///closed.mp3'),
      (4, 1, NULL, 'Kept', '', '', 0, 0, 0, 'file:///kept.mp3');
    """

  static let strawberryLists = """
    list First
      file:///home/ada/own.mp3 | title Own | artist Ada | 60000 ms
      file:///home/ada/Music/Kind%20of%20Blue/01.flac | title So What | artist Miles Davis | album \
    Kind of Blue | albumartist Miles Davis | disc 1 | track 1 | 562000 ms | recording \
    0b9a2b4c-1111-4222-8333-444455556669 | release 0b9a2b4c-1111-4222-8333-444455556670
    list Second
      http://radio.example/ | title Elsewhere
    list Favourite
      file:///kept.mp3 | title Kept
    left Most played: a smart list: the program fills it by rules
    left Jamendo: the program made it by itself
    left Closed: hidden or closed there

    """

  /// Clementine's, which has no favourites in old versions, and other names for some columns.
  static let clementine = """
    CREATE TABLE songs (title TEXT, album TEXT, artist TEXT, albumartist TEXT, track INTEGER,
      disc INTEGER, length INTEGER, filename TEXT NOT NULL);
    CREATE TABLE playlists (name TEXT NOT NULL, last_played INTEGER NOT NULL DEFAULT -1,
      ui_order INTEGER NOT NULL DEFAULT 0, special_type TEXT);
    CREATE TABLE playlist_items (playlist INTEGER NOT NULL, type TEXT NOT NULL,
      library_id INTEGER, url TEXT, title TEXT, album TEXT, artist TEXT, albumartist TEXT,
      track INTEGER, disc INTEGER, length INTEGER, filename TEXT);
    INSERT INTO songs VALUES ('So What', 'Kind of Blue', 'Miles Davis', NULL, 1, -1, 562000000000,
      'file:///home/ada/01.flac');
    INSERT INTO playlists (name, ui_order) VALUES ('Jazz', 0);
    INSERT INTO playlist_items (playlist, type, library_id) VALUES (1, 'Library', 1);
    INSERT INTO playlist_items (playlist, type, filename, title) VALUES
      (1, 'File', '/home/ada/old.mp3', 'Old');
    """

  static let clementineLists = """
    list Jazz
      file:///home/ada/01.flac | title So What | artist Miles Davis | album Kind of Blue | track 1 \
    | 562000 ms
      /home/ada/old.mp3 | title Old

    """

  /// Mixxx's, of schema 32 and later.
  static let mixxx = """
    CREATE TABLE track_locations (id INTEGER PRIMARY KEY AUTOINCREMENT,
      location varchar(512) UNIQUE, filename varchar(512), directory varchar(512),
      filesize INTEGER, fs_deleted INTEGER, needs_verification INTEGER);
    CREATE TABLE library (id INTEGER primary key AUTOINCREMENT, artist varchar(64),
      title varchar(64), album varchar(64), year varchar(16), genre varchar(64),
      tracknumber varchar(3), location integer REFERENCES track_locations(location),
      duration float, mixxx_deleted integer, album_artist TEXT DEFAULT "");
    CREATE TABLE Playlists (id INTEGER primary key, name varchar(48), position INTEGER,
      hidden INTEGER DEFAULT 0 NOT NULL, date_created datetime, date_modified datetime,
      locked integer DEFAULT 0);
    CREATE TABLE PlaylistTracks (id INTEGER primary key, playlist_id INTEGER, track_id INTEGER,
      position INTEGER, pl_datetime_added);
    CREATE TABLE crates (id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(48) UNIQUE NOT NULL,
      count INTEGER DEFAULT 0, show INTEGER DEFAULT 1, locked INTEGER DEFAULT 0,
      autodj_source INTEGER DEFAULT 0);
    CREATE TABLE crate_tracks (crate_id INTEGER NOT NULL, track_id INTEGER NOT NULL,
      UNIQUE (crate_id, track_id));
    INSERT INTO track_locations (id, location) VALUES (11, '/home/ada/Music/a '),
      (12, '/home/ada/Music/b.mp3');
    INSERT INTO library (id, artist, title, album, tracknumber, location, duration, album_artist)
      VALUES (1, 'Ada', 'A', 'Letters', '3/9', 11, 61.5, 'Ada & Co.'),
      (2, NULL, 'B', NULL, '', 12, NULL, NULL);
    INSERT INTO Playlists (id, name, position, hidden) VALUES (1, 'Auto DJ', 0, 1),
      (2, 'Set', 1, 0), (3, '2026-11-25', 2, 2), (4, 'Empty', 3, 0);
    INSERT INTO PlaylistTracks (playlist_id, track_id, position) VALUES (2, 2, 2), (2, 1, 1),
      (2, 2, 3), (1, 1, 1), (2, 99, 4);
    INSERT INTO crates (id, name, show) VALUES (1, 'House', 1), (2, 'Away', 0);
    INSERT INTO crate_tracks VALUES (1, 2), (1, 1), (2, 1);
    """

  static let mixxxLists = """
    list Set
      /home/ada/Music/a  | title A | artist Ada | album Letters | albumartist Ada & Co. | track 3 \
    | 61500 ms
      /home/ada/Music/b.mp3 | title B
      /home/ada/Music/b.mp3 | title B
    list Empty
    list House, unordered
      /home/ada/Music/a  | title A | artist Ada | album Letters | albumartist Ada & Co. | track 3 \
    | 61500 ms
      /home/ada/Music/b.mp3 | title B
    left Auto DJ: a queue
    left 2026-11-25: a history of what was played
    left Away: hidden or closed there

    """

  /// A database with these tables, closed.
  static func make(_ sql: String, at path: String, settings: String = "") throws {
    let database = try Database(path, canWrite: true, busySeconds: 5)
    try database.execute(settings)
    try database.execute(sql)
    try database.close()
  }
}
