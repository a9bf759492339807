import Databases

/// Mixxx's playlists, which have an order, and its crates, which have none.
enum Mixxx {
  static func file(_ tables: ProgramTables) throws -> ListFile {
    try tables.require([
      ("playlists", "id"), ("playlists", "name"), ("playlisttracks", "playlist_id"),
      ("playlisttracks", "track_id"), ("playlisttracks", "position"), ("library", "id"),
      ("library", "location"), ("track_locations", "id"), ("track_locations", "location"),
    ])
    var file = ListFile()
    var count = ListCount()
    let hidden = tables.column("hidden", of: "playlists", as: "lists")
    try read(
      tables, "SELECT lists.id, lists.name, \(hidden) FROM Playlists AS lists ORDER BY lists.id",
      songs: songs(tables, "PlaylistTracks", of: "playlist_id", by: "items.position, items.id"),
      isOrdered: true, into: &file, &count
    ) { hidden in
      switch hidden {
      case 0: nil
      case 1: .queue
      case 2: .history
      default: .hidden
      }
    }
    guard tables.has("crates", "id"), tables.has("crates", "name"),
      tables.has("crate_tracks", "crate_id"), tables.has("crate_tracks", "track_id")
    else { return file }
    let shown = tables.has("crates", "show") ? "lists.show" : "1"
    try read(
      tables,
      "SELECT lists.id, lists.name, \(shown) FROM crates AS lists ORDER BY lists.name, lists.id",
      songs: songs(tables, "crate_tracks", of: "crate_id", by: "items.track_id"),
      isOrdered: false, into: &file, &count
    ) { shown in shown == 0 ? .hidden : nil }
    return file
  }

  private static func read(
    _ tables: ProgramTables, _ lists: String, songs: String, isOrdered: Bool,
    into file: inout ListFile, _ count: inout ListCount,
    reason: (Int64) -> LeftOutList.Reason?
  ) throws {
    let found = try tables.database.statement(lists).rows { row in
      try count.addList()
      return (id: row.integer(0), name: words(row.text(1)), mark: row.integer(2))
    }
    let songs = try tables.database.statement(songs)
    for known in found {
      if let reason = reason(known.mark) {
        file.leftOut.append(LeftOutList(name: known.name, reason: reason))
        continue
      }
      var list = ImportedList(name: known.name)
      list.isOrdered = isOrdered
      try songs.forEachRow(.integer(known.id)) { row in
        try count.addSong()
        list.songs.append(song(row))
      }
      file.lists.append(list)
    }
  }

  private static func songs(
    _ tables: ProgramTables, _ items: String, of list: String, by order: String
  ) -> String {
    func column(_ name: String) -> String { tables.column(name, of: "library", as: "library") }
    let order = tables.has(items, "id") ? order : order.replacing(", items.id", with: "")
    return """
      SELECT track_locations.location, \(column("title")), \(column("artist")),
        \(column("album")), \(column("album_artist")), \(column("tracknumber")),
        \(column("duration"))
      FROM \(items) AS items JOIN library ON library.id = items.track_id
        JOIN track_locations ON track_locations.id = library.location
      WHERE items.\(list) = ? ORDER BY \(order)
      """
  }

  private static func song(_ row: borrowing Row) -> WantedSong {
    var song = WantedSong()
    // A path, whose blanks at the ends are its own.
    song.path = row.text(0)
    song.title = words(row.text(1))
    song.artist = words(row.text(2))
    song.album = words(row.text(3))
    song.albumArtist = words(row.text(4))
    song.track = positive(row.text(5))
    song.milliseconds = milliseconds(ofSeconds: row.text(6))
    return song
  }
}
