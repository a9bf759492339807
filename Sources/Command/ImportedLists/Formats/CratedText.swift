import OrderFormat
import Text

/// The order of another Crated as text (`crate edit`), or a snapshot of its store. A crate becomes
/// a list. In an order, songs have no path; they are looked up by id, and by the titles in the
/// text.
enum CratedText {
  /// Whether the text begins like an order or a snapshot.
  static func isOne(_ text: [UInt8]) -> Bool {
    for line in Lines(of: text) {
      let line = trimmed(line)
      if line.starts(with: "# sequence ".utf8) { return true }
      if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
      let words = words(line).split(separator: " ")
      return words.first == "crate"
        || words.first == "crated" && words.dropFirst(2).first == "sequence"
    }
    return false
  }

  static func file(_ text: [UInt8]) throws(ListFault) -> ListFile {
    try refuseZeros(in: text)
    var order = Order()
    for (number, line) in zip(1..., Lines(of: text)) {
      do throws(ListFault) {
        try order.read(line)
      } catch {
        throw ListFault(.line(number), error.reason)
      }
    }
    if order.isSnapshot, !order.hasEnded {
      throw ListFault(.file, "the snapshot ends too early: its last line is missing")
    }
    if order.hasAlbums, !order.hasSongs {
      throw ListFault(
        .file,
        "it names albums and no songs, which nothing here can be told by; take `crate edit`"
          + " with its songs")
    }
    var file = ListFile()
    file.lists = order.lists
    return file
  }

  private struct Order {
    private(set) var lists: [ImportedList] = []
    private(set) var isSnapshot = false
    private(set) var hasEnded = false
    private(set) var hasAlbums = false
    private(set) var hasSongs = false
    private var reader = OrderReader()
    private var artist = ""
    private var album = ""
    private var count = ListCount()

    mutating func read(_ line: ArraySlice<UInt8>) throws(ListFault) {
      var rest = line.drop(while: isBlank)
      let kind = OrderSyntax.word(&rest)
      if hasEnded, !kind.isEmpty, !kind.hasPrefix("#") {
        throw ListFault(.file, "something follows the end")
      }
      switch kind {
      case "crated" where lists.isEmpty && !isSnapshot:
        (isSnapshot, reader.keepsEnds) = (true, true)
        return
      case "end" where isSnapshot: return hasEnded = true
      // Other ids of an album.
      case "also" where isSnapshot: return
      default: break
      }
      switch try parsed(line) {
      case nil: return
      case .crate(_, let name):
        try count.addList()
        lists.append(ImportedList(name: name))
      case .album(_, let rest):
        hasAlbums = true
        if isSnapshot {
          (artist, album) = grouped(rest)
        } else {
          // The year is not part of the title.
          (artist, album) = ShownText.album(ShownText.read(rest))
        }
      case .song(let id, let rest):
        try count.addSong()
        hasSongs = true
        var song = WantedSong()
        (song.id, song.album, song.albumArtist) = (id, album, artist)
        if isSnapshot {
          try readStored(rest, into: &song)
        } else {
          (song.disc, song.track, song.artist, song.title) = ShownText.song(ShownText.read(rest))
          // An order names a song's artist only if it isn't the album's. A title may contain a
          // dash, so the lookup tries both.
          if song.artist.isEmpty { song.artist = artist }
        }
        lists[lists.count - 1].songs.append(song)
      }
    }

    private mutating func parsed(_ line: ArraySlice<UInt8>) throws(ListFault) -> OrderLine? {
      do throws(OrderFault) {
        return try reader.read(line)
      } catch {
        throw ListFault(.file, error.reason)
      }
    }

    /// Reads the folded names in the group of a snapshot's album, if it is grouped by tags.
    private func grouped(_ text: ArraySlice<UInt8>) -> (artist: String, album: String) {
      var rest = text
      let group = OrderSyntax.word(&rest)
      guard group.hasPrefix("group="), let bytes = percentDecoded(Array(group.utf8)[6...])
      else { return ("", "") }
      let parts = bytes.split(separator: 0x09, omittingEmptySubsequences: false)
      guard parts.count >= 3, parts[0].elementsEqual("by".utf8) else { return ("", "") }
      return (words(parts[1]), words(parts[2]))
    }

    private static let fields: [Substring: WantedSong.Field] = [
      "disc": .disc, "track": .track, "title": .title, "seconds": .seconds, "artist": .artist,
      "album": .album, "albumartist": .albumArtist,
    ]

    /// Reads `key=value` pairs up to the path, which is the rest.
    private func readStored(
      _ text: ArraySlice<UInt8>, into song: inout WantedSong
    ) throws(ListFault) {
      var rest = text
      while let first = rest.first, first != UInt8(ascii: "/") {
        var ahead = rest
        let pair = OrderSyntax.word(&ahead)
        guard let equals = pair.firstIndex(of: "=") else { break }
        guard let value = percentDecoded(Array(pair[equals...].utf8)[1...]) else {
          throw ListFault(.file, "a % that is not followed by two digits")
        }
        let text = String(decoding: value, as: UTF8.self)
        switch pair[..<equals] {
        case "track" where text == "0": song.track = 0
        case "recording": song.recording = text
        case "release": song.release = text
        case let key: if let field = Self.fields[key] { song.set(field, to: text) }
        }
        rest = ahead
      }
      guard let path = percentDecoded(rest), !path.isEmpty else {
        throw ListFault(.file, "a song without a path")
      }
      song.path = pathText(path[...])
    }
  }
}
