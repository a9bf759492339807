import Text

/// Rhythmbox's playlists.xml, and what its rhythmdb.xml knows of the songs in it.
enum Rhythmbox {
  /// - Parameters:
  ///   - reader: in the root.
  ///   - songs: what `songs(in:)` found, by address.
  static func file(
    _ reader: inout XMLReader, knowing songs: [String: WantedSong]
  ) throws(ListFault) -> ListFile {
    var file = ListFile()
    var count = ListCount()
    try reader.forEachElement { (reader) throws(ListFault) in
      guard reader.localName == "playlist" else { return try reader.skip() }
      try count.addList()
      let reason = reason(forType: reader.attribute("type"))
      var list = ImportedList(name: words(reader.attribute("name") ?? ""))
      try reader.forEachElement { (reader) throws(ListFault) in
        switch reader.localName {
        // The lists that Rhythmbox comes with have it there.
        case "name" where list.name.isEmpty: list.name = words(try reader.content())
        case "location" where reason == nil:
          let path = words(try reader.content())
          try count.addSong()
          var song = songs[path] ?? WantedSong()
          song.path = path
          list.songs.append(song)
        default: try reader.skip()
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

  private static func reason(forType type: String?) -> LeftOutList.Reason? {
    switch type {
    case "automatic": .smart
    case "queue": .queue
    default: nil
    }
  }

  /// The songs of a rhythmdb.xml by their addresses.
  static func songs(
    in bytes: [UInt8], _ pages: CodePages
  ) throws(ListFault) -> [String: WantedSong] {
    var songs: [String: WantedSong] = [:]
    var count = ListCount()
    try XMLReader.read(bytes, pages) { (reader) throws(ListFault) in
      guard reader.localName == "rhythmdb" else {
        throw reader.fault("this is not Rhythmbox's rhythmdb.xml")
      }
      try reader.forEachElement { (reader) throws(ListFault) in
        guard reader.localName == "entry", reader.attribute("type") == "song" else {
          return try reader.skip()
        }
        try count.addSong()
        var song = WantedSong()
        try reader.forEachElement { (reader) throws(ListFault) in try take(&reader, into: &song) }
        songs[song.path] = song
      }
    }
    return songs
  }

  private static func take(
    _ reader: inout XMLReader, into song: inout WantedSong
  ) throws(ListFault) {
    switch reader.localName {
    case "location": song.path = words(try reader.content())
    case "title": song.title = words(try reader.content())
    case "artist": song.artist = words(try reader.content())
    case "album": song.album = words(try reader.content())
    case "album-artist": song.albumArtist = words(try reader.content())
    case "track-number": song.track = positive(words(try reader.content()))
    case "disc-number": song.disc = positive(words(try reader.content()))
    case "duration": song.milliseconds = milliseconds(ofSeconds: words(try reader.content()))
    // What MusicBrainz calls a track id in tags is that of the recording.
    case "mb-trackid": song.recording = musicBrainzID(words(try reader.content()))
    case "mb-albumid": song.release = musicBrainzID(words(try reader.content()))
    default: try reader.skip()
    }
  }
}
