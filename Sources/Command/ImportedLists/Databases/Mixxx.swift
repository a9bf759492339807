import Databases

/// Mixxx's playlists, which are ordered, and its crates, which are not.
enum Mixxx {
  private static let fields: [WantedSong.Field] = [
    .exactPath, .title, .artist, .album, .albumArtist, .track, .seconds,
  ]
  private static let columns = [
    "title", "artist", "album", "album_artist", "tracknumber", "duration",
  ]

  static func file(_ tables: ProgramTables) throws -> ListFile {
    try tables.require([
      ("playlists", "id"), ("playlists", "name"), ("playlisttracks", "playlist_id"),
      ("playlisttracks", "track_id"), ("playlisttracks", "position"), ("library", "id"),
      ("library", "location"), ("track_locations", "id"), ("track_locations", "location"),
    ])
    var lists = ProgramLists()
    let hidden = tables.column("hidden", of: "playlists", as: "lists")
    let last = tables.has("playlisttracks", "id") ? ", items.id" : ""
    try lists.read(
      tables.database.statement(
        "SELECT lists.id, lists.name, \(hidden) FROM Playlists AS lists ORDER BY lists.id"),
      songs: songs(tables, "PlaylistTracks", of: "playlist_id", by: "items.position\(last)"),
      fields: fields
    ) { row in
      switch row.integer(2) {
      case 0: nil
      case 1: .queue
      case 2: .history
      default: .hidden
      }
    }
    guard tables.has("crates", "id"), tables.has("crates", "name"),
      tables.has("crate_tracks", "crate_id"), tables.has("crate_tracks", "track_id")
    else { return lists.file }
    let shown = tables.has("crates", "show") ? "lists.show" : "1"
    try lists.read(
      tables.database.statement(
        """
        SELECT lists.id, lists.name, \(shown) FROM crates AS lists ORDER BY lists.name, lists.id
        """),
      songs: songs(tables, "crate_tracks", of: "crate_id", by: "items.track_id"),
      fields: fields, isOrdered: false
    ) { $0.integer(2) == 0 ? .hidden : nil }
    return lists.file
  }

  private static func songs(
    _ tables: ProgramTables, _ items: String, of list: String, by order: String
  ) throws -> Statement {
    let columns = columns.map { tables.column($0, of: "library", as: "library") }
    return try tables.database.statement(
      """
      SELECT track_locations.location, \(columns.joined(separator: ", "))
      FROM \(items) AS items JOIN library ON library.id = items.track_id
        JOIN track_locations ON track_locations.id = library.location
      WHERE items.\(list) = ? ORDER BY \(order)
      """)
  }
}
