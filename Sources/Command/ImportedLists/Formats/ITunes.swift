/// The XML file that iTunes stores beside its library and that Music exports: a property list with
/// all songs by number, and lists of those numbers.
enum ITunes {
  private static let fields: [String: WantedSong.Field] = [
    "Location": .path, "Name": .title, "Artist": .artist, "Album": .album,
    "Album Artist": .albumArtist, "Disc Number": .disc, "Track Number": .track,
    "Total Time": .milliseconds,
  ]

  /// - Parameter reader: The reader at the root element.
  static func file(_ reader: XMLReader) throws(ListFault) -> ListFile {
    var library = Library()
    let root = reader.depth
    while try reader.nextElement(in: root) {
      try reader.forEachKey { (key) throws(ListFault) in
        switch key {
        case "Tracks": try library.readSongs(reader)
        case "Playlists":
          try reader.forEachDictionary { () throws(ListFault) in try library.readList(reader) }
        default: break
        }
      }
    }
    return library.file
  }

  private struct List {
    var name = ""
    var id = ""
    var parent = ""
    var isFolder = false
    var isSmart = false
    var isOwn = false
    var songs: [Int] = []
  }

  private struct Library {
    private var songs: [Int: WantedSong] = [:]
    private var lists: [List] = []
    private var songCount = ListCount()
    private var count = ListCount()

    mutating func readSongs(_ reader: XMLReader) throws(ListFault) {
      try reader.forEachKey { (number) throws(ListFault) in
        try songCount.addSong()
        var song = WantedSong()
        var id: Int?
        try reader.forEachKey { (key) throws(ListFault) in
          if key == "Track ID" {
            id = try reader.integer()
          } else if let field = ITunes.fields[key] {
            song.set(field, to: try reader.content())
          }
        }
        if let id = id ?? Int(number) { songs[id] = song }
      }
    }

    mutating func readList(_ reader: XMLReader) throws(ListFault) {
      try count.addList()
      var list = List()
      try reader.forEachKey { (key) throws(ListFault) in
        switch key {
        case "Name": list.name = words(try reader.content())
        case "Playlist Persistent ID": list.id = try reader.content()
        case "Parent Persistent ID": list.parent = try reader.content()
        case "Folder": list.isFolder = reader.name == "true"
        case "Master": list.isOwn = list.isOwn || reader.name == "true"
        case "Distinguished Kind": if try (reader.integer() ?? 0) != 0 { list.isOwn = true }
        case "Smart Info", "Smart Criteria": list.isSmart = true
        case "Playlist Items":
          try reader.forEachDictionary { () throws(ListFault) in
            try reader.forEachKey { (key) throws(ListFault) in
              guard key == "Track ID", let id = try reader.integer() else { return }
              try count.addSong()
              list.songs.append(id)
            }
          }
        default: break
        }
      }
      lists.append(list)
    }

    var file: ListFile {
      var file = ListFile()
      let folders = Dictionary(
        lists.filter { $0.isFolder && !$0.id.isEmpty }.map { ($0.id, $0) },
        uniquingKeysWith: { first, _ in first })
      // A folder repeats the songs of its lists.
      for list in lists where !list.isFolder {
        if list.isOwn || list.isSmart {
          file.leftOut.append(
            LeftOutList(name: list.name, reason: list.isOwn ? .automatic : .smart))
          continue
        }
        var imported = ImportedList(name: list.name)
        imported.folders = Library.path(of: list, folders)
        imported.songs = list.songs.map { songs[$0] ?? WantedSong() }
        file.lists.append(imported)
      }
      return file
    }

    /// Returns the folders that contain a list. The limit ends a cycle.
    private static func path(of list: List, _ folders: [String: List]) -> [String] {
      var names: [String] = []
      var above = list.parent
      while names.count < ListLimits.depth, let folder = folders[above] {
        names.append(folder.name)
        above = folder.parent
      }
      return names.reversed()
    }
  }
}
