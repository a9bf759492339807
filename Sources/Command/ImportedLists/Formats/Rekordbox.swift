/// The XML that Rekordbox exports (its "rekordbox xml format list"): a collection of songs, and a
/// tree of folders and lists, whose songs are named by number or by address.
enum Rekordbox {
  /// - Parameter reader: in the root.
  static func file(_ reader: inout XMLReader) throws(ListFault) -> ListFile {
    var tree = Tree()
    try reader.forEachElement { (reader) throws(ListFault) in
      switch reader.name {
      case "COLLECTION": try tree.readSongs(&reader)
      case "PLAYLISTS":
        try reader.forEachElement { (reader) throws(ListFault) in
          // The outermost folder has no name that means anything.
          try tree.read(&reader, isOutermost: true)
        }
      default: try reader.skip()
      }
    }
    return tree.file
  }

  private struct Tree {
    var file = ListFile()
    private var songs: [String: WantedSong] = [:]
    private var byLocation: [String: String] = [:]
    private var folders: [String] = []
    private var songCount = ListCount()
    private var count = ListCount()

    mutating func readSongs(_ reader: inout XMLReader) throws(ListFault) {
      try reader.forEachElement { (reader) throws(ListFault) in
        if reader.name == "TRACK", let id = reader.attribute("TrackID") {
          try songCount.addSong()
          let song = Rekordbox.song(reader)
          songs[id] = song
          byLocation[song.path] = id
        }
        try reader.skip()
      }
    }

    mutating func read(
      _ reader: inout XMLReader, isOutermost: Bool = false
    ) throws(ListFault) {
      guard reader.name == "NODE" else { return try reader.skip() }
      let name = words(reader.attribute("Name") ?? "")
      if reader.attribute("Type") == "0" {
        if !isOutermost { folders.append(name) }
        try reader.forEachElement { (reader) throws(ListFault) in try read(&reader) }
        if !isOutermost { folders.removeLast() }
        return
      }
      try count.addList()
      var list = ImportedList(name: name)
      list.folders = folders
      let isByLocation = reader.attribute("KeyType") == "1"
      try reader.forEachElement { (reader) throws(ListFault) in
        if reader.name == "TRACK", let key = reader.attribute("Key") {
          try count.addSong()
          list.songs.append(song(key, isByLocation: isByLocation))
        }
        try reader.skip()
      }
      file.lists.append(list)
    }

    private func song(_ key: String, isByLocation: Bool) -> WantedSong {
      if !isByLocation { return songs[key] ?? WantedSong() }
      if let song = byLocation[key].flatMap({ songs[$0] }) { return song }
      var song = WantedSong()
      song.path = key
      return song
    }
  }

  private static func song(_ reader: XMLReader) -> WantedSong {
    func text(_ name: String) -> String { words(reader.attribute(name) ?? "") }
    var song = WantedSong()
    song.path = text("Location")
    song.title = text("Name")
    song.artist = text("Artist")
    song.album = text("Album")
    song.disc = positive(text("DiscNumber"))
    song.track = positive(text("TrackNumber"))
    song.milliseconds = milliseconds(ofSeconds: text("TotalTime"))
    return song
  }
}
