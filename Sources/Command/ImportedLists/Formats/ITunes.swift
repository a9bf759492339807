/// The XML that iTunes kept beside its library, and that Music exports: a property list with all
/// songs by number, and the lists by those numbers.
enum ITunes {
  /// - Parameter reader: in the root.
  static func file(_ reader: inout XMLReader) throws(ListFault) -> ListFile {
    var library = Library()
    try reader.forEachElement { (reader) throws(ListFault) in
      try reader.forEachKey { (key, reader) throws(ListFault) in
        switch key {
        case "Tracks": try library.readSongs(&reader)
        case "Playlists":
          try reader.forEachDictionary { (reader) throws(ListFault) in
            try library.readList(&reader)
          }
        default: try reader.skip()
        }
      }
    }
    return try library.file()
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

    mutating func readSongs(_ reader: inout XMLReader) throws(ListFault) {
      try reader.forEachKey { (key, reader) throws(ListFault) in
        try songCount.addSong()
        let (song, id) = try ITunes.song(&reader)
        if let id = id ?? Int(key) { songs[id] = song }
      }
    }

    mutating func readList(_ reader: inout XMLReader) throws(ListFault) {
      try count.addList()
      var list = List()
      try reader.forEachKey { (key, reader) throws(ListFault) in
        switch key {
        case "Name": list.name = words(try reader.content())
        case "Playlist Persistent ID": list.id = try reader.content()
        case "Parent Persistent ID": list.parent = try reader.content()
        case "Folder": list.isFolder = try reader.truth()
        case "Master": if try reader.truth() { list.isOwn = true }
        case "Distinguished Kind": if try (reader.integer() ?? 0) != 0 { list.isOwn = true }
        case "Smart Info", "Smart Criteria":
          list.isSmart = true
          try reader.skip()
        case "Playlist Items":
          try reader.forEachDictionary { (reader) throws(ListFault) in
            try reader.forEachKey { (key, reader) throws(ListFault) in
              guard key == "Track ID" else { return try reader.skip() }
              if let id = try reader.integer() {
                try count.addSong()
                list.songs.append(id)
              }
            }
          }
        default: try reader.skip()
        }
      }
      // A folder's songs are those of the lists in it.
      if list.isFolder { list.songs = [] }
      lists.append(list)
    }

    func file() throws(ListFault) -> ListFile {
      var file = ListFile()
      let folders = Dictionary(
        lists.filter { $0.isFolder && !$0.id.isEmpty }.map { ($0.id, $0) },
        uniquingKeysWith: { first, _ in first })
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

    /// The list's path, as far as folders lie in folders, and in no circle.
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

  private static func song(
    _ reader: inout XMLReader
  ) throws(ListFault) -> (WantedSong, id: Int?) {
    var song = WantedSong()
    var id: Int?
    try reader.forEachKey { (key, reader) throws(ListFault) in
      switch key {
      case "Track ID": id = try reader.integer()
      case "Location": song.path = words(try reader.content())
      case "Name": song.title = words(try reader.content())
      case "Artist": song.artist = words(try reader.content())
      case "Album": song.album = words(try reader.content())
      case "Album Artist": song.albumArtist = words(try reader.content())
      case "Disc Number": song.disc = try reader.integer().flatMap { $0 > 0 ? $0 : nil }
      case "Track Number": song.track = try reader.integer().flatMap { $0 > 0 ? $0 : nil }
      case "Total Time": song.milliseconds = milliseconds(try reader.integer())
      default: try reader.skip()
      }
    }
    return (song, id)
  }
}
