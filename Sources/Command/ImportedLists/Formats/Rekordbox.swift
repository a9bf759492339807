/// The XML file that Rekordbox exports (its "rekordbox xml format list"): a collection of songs,
/// and a tree of folders and lists. Lists name songs by number or by location.
enum Rekordbox {
  private static let fields: [String: WantedSong.Field] = [
    "Location": .path, "Name": .title, "Artist": .artist, "Album": .album, "DiscNumber": .disc,
    "TrackNumber": .track, "TotalTime": .seconds,
  ]

  /// - Parameter reader: The reader at the root element.
  static func file(_ reader: XMLReader) throws(ListFault) -> ListFile {
    var tree = Tree()
    let root = reader.depth
    while try reader.nextElement(in: root) {
      switch reader.name {
      case "COLLECTION": try tree.readSongs(reader)
      case "PLAYLISTS":
        let lists = reader.depth
        // The name of the outermost folder has no meaning.
        while try reader.nextElement(in: lists) { try tree.read(reader, isOutermost: true) }
      default: break
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

    mutating func readSongs(_ reader: XMLReader) throws(ListFault) {
      let collection = reader.depth
      while try reader.nextElement(in: collection) {
        guard reader.name == "TRACK", let id = reader.attribute("TrackID") else { continue }
        try songCount.addSong()
        var song = WantedSong()
        for (name, value) in reader.attributes {
          if let field = Rekordbox.fields[name] { song.set(field, to: value) }
        }
        songs[id] = song
        byLocation[song.path] = id
      }
    }

    mutating func read(_ reader: XMLReader, isOutermost: Bool = false) throws(ListFault) {
      guard reader.name == "NODE" else { return }
      let name = words(reader.attribute("Name") ?? "")
      let node = reader.depth
      if reader.attribute("Type") == "0" {
        if !isOutermost { folders.append(name) }
        while try reader.nextElement(in: node) { try read(reader) }
        if !isOutermost { folders.removeLast() }
        return
      }
      try count.addList()
      var list = ImportedList(name: name)
      list.folders = folders
      let isByLocation = reader.attribute("KeyType") == "1"
      while try reader.nextElement(in: node) {
        guard reader.name == "TRACK", let key = reader.attribute("Key") else { continue }
        try count.addSong()
        list.songs.append(song(key, isByLocation: isByLocation))
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
}
