import Databases
import LibraryModel

extension IndexedOrder {
  private struct SongRow: Equatable {
    var position: Int64
    var isGone: Bool
    var path: BytePath
  }

  /// Updates the rows of an album's songs to the library. An album that is not in the library has
  /// no rows.
  ///
  /// - Returns: the songs whose rows were deleted.
  static func updateSongs(
    of album: AlbumID, _ library: Library, _ database: Database
  ) throws -> [SongID] {
    let songs = library.albums[album].map(library.songs(of:)) ?? []
    var (list, rows) = try readSongs(of: album, database)
    let removed = list.update(to: songs.map(\.id)).removed
    let delete = try database.statement("DELETE FROM songs WHERE id = ?")
    for song in removed { try delete.run(.text(song.description)) }
    let write = try database.statement(
      """
      INSERT INTO songs (id, album, position, gone, path) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET album = excluded.album, position = excluded.position,
        gone = excluded.gone, path = excluded.path
      """)
    for (song, position) in zip(songs, list.positions) {
      let row = SongRow(position: position, isGone: song.isGone, path: song.path)
      if rows.removeValue(forKey: song.id) == row { continue }
      try write.run(
        .text(song.id.description), .text(album.description), .integer(position),
        .integer(song.isGone ? 1 : 0), .bytes(song.path.bytes))
    }
    return removed
  }

  /// Reads the rows of an album's songs, and deletes them if they are no valid order.
  private static func readSongs(
    of album: AlbumID, _ database: Database
  ) throws -> (PositionedList<SongID>, [SongID: SongRow]) {
    var items: [SongID] = []
    var positions: [Int64] = []
    var rows: [SongID: SongRow] = [:]
    let read = try database.statement(
      "SELECT id, position, gone, path FROM songs WHERE album = ? ORDER BY position")
    try read.forEachRow(.text(album.description)) { row in
      positions.append(row.integer(1))
      guard let id = SongID(row.text(0)) else { return }
      items.append(id)
      rows[id] = SongRow(
        position: row.integer(1), isGone: row.integer(2) != 0, path: BytePath(row.bytes(3)))
    }
    if let list = PositionedList(items, positions: positions) { return (list, rows) }
    try database.statement("DELETE FROM songs WHERE album = ?").run(.text(album.description))
    return (PositionedList(), [:])
  }
}
