import Foundation
import GRDB
import LibraryModel

extension IndexedOrder {
  private struct SongRow: Equatable {
    var key: Int64
    var isGone: Bool
    var path: BytePath
  }

  /// Brings the rows of an album's songs to the library; an album that is not there has none.
  ///
  /// - Returns: the songs whose rows were deleted.
  static func followSongs(
    of album: AlbumID, _ library: Library, _ database: Database
  ) throws -> [SongID] {
    let songs = library.albums[album].map(library.songs(of:)) ?? []
    var (list, rows) = try readSongs(of: album, database)
    let removed = list.become(songs.map(\.id)).removed
    for song in removed {
      let delete = try database.cachedStatement(sql: "DELETE FROM songs WHERE id = ?")
      try delete.execute(arguments: [song.description])
    }
    let write = try database.cachedStatement(
      sql: """
        INSERT INTO songs (id, album, position, gone, path) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET album = excluded.album, position = excluded.position,
          gone = excluded.gone, path = excluded.path
        """)
    for (song, key) in zip(songs, list.allKeys) {
      let row = SongRow(key: key, isGone: song.isGone, path: song.path)
      if rows.removeValue(forKey: song.id) == row { continue }
      try write.execute(arguments: [
        song.id.description, album.description, key, song.isGone, Data(song.path.bytes),
      ])
    }
    return removed
  }

  /// The rows that are there. If they are no order they are deleted.
  private static func readSongs(
    of album: AlbumID, _ database: Database
  ) throws -> (KeyedList<SongID>, [SongID: SongRow]) {
    var items: [SongID] = []
    var keys: [Int64] = []
    var rows: [SongID: SongRow] = [:]
    let read = try database.cachedStatement(
      sql: "SELECT id, position, gone, path FROM songs WHERE album = ? ORDER BY position")
    let cursor = try Row.fetchCursor(read, arguments: [album.description])
    while let row = try cursor.next() {
      keys.append(row[1])
      guard let id = SongID(row[0] as String) else { continue }
      items.append(id)
      rows[id] = SongRow(
        key: row[1], isGone: row[2], path: BytePath([UInt8](row[3] as Data)))
    }
    if let list = KeyedList(items, keys: keys) { return (list, rows) }
    try database.execute(
      sql: "DELETE FROM songs WHERE album = ?", arguments: [album.description])
    return (KeyedList(), [:])
  }
}
