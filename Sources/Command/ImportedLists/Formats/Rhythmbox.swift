import Text

/// Rhythmbox's playlists.xml, and the songs in its rhythmdb.xml.
enum Rhythmbox {
  /// MusicBrainz' "track id" in tags is the recording id.
  private static let fields: [String: WantedSong.Field] = [
    "location": .path, "title": .title, "artist": .artist, "album": .album,
    "album-artist": .albumArtist, "track-number": .track, "disc-number": .disc,
    "duration": .seconds, "mb-trackid": .recording, "mb-albumid": .release,
  ]

  /// - Parameters:
  ///   - reader: The reader at the root element.
  ///   - songs: The result of `songs(in:)`.
  static func file(
    _ reader: XMLReader, knowing songs: [String: WantedSong]
  ) throws(ListFault) -> ListFile {
    var file = ListFile()
    var count = ListCount()
    let root = reader.depth
    while try reader.nextElement(in: root) {
      guard reader.name == "playlist" else { continue }
      try count.addList()
      let playlist = reader.depth
      let reason: LeftOutList.Reason? =
        switch reader.attribute("type") {
        case "automatic": .smart
        case "queue": .queue
        default: nil
        }
      var list = ImportedList(name: words(reader.attribute("name") ?? ""))
      while try reader.nextElement(in: playlist) {
        switch reader.name {
        // Rhythmbox's built-in lists have their name there.
        case "name" where list.name.isEmpty: list.name = words(try reader.content())
        case "location" where reason == nil:
          let path = words(try reader.content())
          try count.addSong()
          var song = songs[path] ?? WantedSong()
          song.path = path
          list.songs.append(song)
        default: break
        }
      }
      if let reason {
        file.leftOut.append(LeftOutList(name: list.name, reason: reason))
      } else {
        file.lists.append(list)
      }
    }
    return file
  }

  /// Reads the songs of a rhythmdb.xml file, by their locations.
  static func songs(
    in bytes: [UInt8], _ pages: CodePages
  ) throws(ListFault) -> [String: WantedSong] {
    var songs: [String: WantedSong] = [:]
    var count = ListCount()
    let reader = try XMLReader(bytes, pages)
    guard reader.name == "rhythmdb" else {
      throw reader.fault("this is not Rhythmbox's rhythmdb.xml")
    }
    let root = reader.depth
    while try reader.nextElement(in: root) {
      guard reader.name == "entry", reader.attribute("type") == "song" else { continue }
      try count.addSong()
      var song = WantedSong()
      let entry = reader.depth
      while try reader.nextElement(in: entry) {
        if let field = fields[reader.name] { song.set(field, to: try reader.content()) }
      }
      songs[song.path] = song
    }
    try reader.finish()
    return songs
  }
}
