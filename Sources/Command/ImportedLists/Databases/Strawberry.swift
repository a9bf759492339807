import Databases

/// The lists of Strawberry and of Clementine, from which it is forked. The order of a list is that
/// of its rows, which are rewritten on each save. Tags are in the list's item or, if empty there,
/// in the song of the collection.
enum Strawberry {
  static func file(_ tables: ProgramTables) throws -> ListFile {
    try tables.require([
      ("playlists", "name"), ("playlist_items", "playlist"), ("playlist_items", "type"),
    ])
    var lists = ProgramLists()
    let order = tables.has("playlists", "ui_order") ? "ui_order" : "ROWID"
    let special = tables.column("special_type", of: "playlists", as: "playlists")
    let dynamic = tables.column("dynamic_playlist_type", of: "playlists", as: "playlists")
    let favorite = tables.column("is_favorite", of: "playlists", as: "playlists")
    try lists.read(
      tables.database.statement(
        """
        SELECT ROWID, name, \(special), \(dynamic), \(order), \(favorite) FROM playlists
        ORDER BY \(order) = -1, \(order), ROWID
        """),
      songs: tables.database.statement(items(tables)), fields: fields
    ) { row in
      // A list without a place was closed, unless it is a favourite.
      let isClosed = row.integer(4) == -1 && row.integer(5) == 0
      return !row.text(2).isEmpty
        ? .automatic : row.integer(3) != 0 ? .smart : isClosed ? .hidden : nil
    }
    return lists.file
  }

  /// The fields in the order of the columns that `items` selects.
  private static let fields: [WantedSong.Field] = [
    .path, .title, .artist, .album, .albumArtist, .track, .disc, .milliseconds, .recording,
    .release,
  ]

  /// The query for a list's items. Values that are empty or below 1 come from the song.
  private static func items(_ tables: ProgramTables) -> String {
    // Clementine calls the collection a library, and once stored paths instead of URLs.
    let id = tables.column("collection_id", "library_id", of: "playlist_items", as: "items")
    let isJoined = tables.has("songs") && id != "NULL"
    func text(_ columns: String...) -> String {
      let own = columns.filter { tables.has("playlist_items", $0) }.map { "items.\($0)" }
      let joined = columns.filter { tables.has("songs", $0) }.map { "songs.\($0)" }
      let parts = (own + (isJoined ? joined : [])).map { "NULLIF(\($0), '')" }
      return "COALESCE(\((parts + ["''", "''"]).joined(separator: ", ")))"
    }
    func number(_ column: String) -> String {
      let own = tables.has("playlist_items", column) ? "items.\(column)" : "0"
      let joined = isJoined && tables.has("songs", column) ? "songs.\(column)" : "0"
      return "CASE WHEN \(own) > 0 THEN \(own) ELSE \(joined) END"
    }
    let join = isJoined ? "LEFT JOIN songs ON \(id) = songs.ROWID" : ""
    return """
      SELECT \(text("url", "filename")), \(text("title")), \(text("artist")), \(text("album")),
        \(text("albumartist")), \(number("track")), \(number("disc")),
        (\(number("length"))) / 1000000,
        \(text("musicbrainz_recording_id")), \(text("musicbrainz_album_id"))
      FROM playlist_items AS items \(join) WHERE items.playlist = ? ORDER BY items.ROWID
      """
  }
}
