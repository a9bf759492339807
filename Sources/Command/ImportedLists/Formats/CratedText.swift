/// What another Crated has: the order as text (`crate edit`), or a snapshot of its store. A crate
/// is a list. In the order, songs have no path: they are told by what is written for people.
enum CratedText {
  /// What a text that may be one begins with, comments left out.
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
        // A path may end with a blank.
        try order.read(order.isSnapshot ? line.drop(while: isBlank) : trimmed(line))
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
    var lists: [ImportedList] = []
    var isSnapshot = false
    var hasEnded = false
    var hasAlbums = false
    var hasSongs = false
    private var artist = ""
    private var album = ""
    private var count = ListCount()

    mutating func read(_ line: ArraySlice<UInt8>) throws(ListFault) {
      if line.isEmpty || line.first == UInt8(ascii: "#") { return }
      if hasEnded { throw ListFault(.file, "something follows the end") }
      var rest = line
      let kind = word(&rest)
      switch kind {
      case "crated" where lists.isEmpty && !isSnapshot: isSnapshot = true
      case "end" where isSnapshot: hasEnded = true
      case "crate":
        if isSnapshot { takeID(&rest) }
        guard let name = decoded(rest), let name = String(validating: name, as: UTF8.self) else {
          throw ListFault(.file, "a % in a crate's name is written %25")
        }
        try count.addList()
        lists.append(ImportedList(name: name))
        hasAlbums = false
      case "album", "album*":
        guard !lists.isEmpty else { throw ListFault(.file, "an album above the first crate") }
        hasAlbums = true
        _ = word(&rest)
        (artist, album) = isSnapshot ? grouped(rest) : split(shown(rest))
      case "song", "offline", "gone":
        guard hasAlbums else { throw ListFault(.file, "a song above the first album of its crate") }
        try count.addSong()
        let id = word(&rest)
        hasSongs = true
        var song = isSnapshot ? try stored(rest) : written(shown(rest))
        song.id = id
        lists[lists.count - 1].songs.append(song)
      case "slot", "also": return
      default:
        throw ListFault(
          .file,
          "“\(kind.prefix(20))” can't start a line of an order; lines start with crate, album"
            + " or song"
        )
      }
    }

    /// A crate's own, which stands before its name.
    private func takeID(_ rest: inout ArraySlice<UInt8>) {
      var name = rest
      let id = word(&name)
      if id.utf8.count == 12, id.utf8.allSatisfy(isOfID), !name.isEmpty { rest = name }
    }

    private func isOfID(_ byte: UInt8) -> Bool {
      "abcdefghijkmnpqrstuvwxyz23456789".utf8.contains(byte)
    }

    /// `2-01 Artist - Title`, in which all but the title may be missing.
    private func written(_ text: String) -> WantedSong {
      var song = WantedSong()
      (song.album, song.albumArtist, song.artist) = (album, artist, artist)
      var rest = text[...]
      let number = rest.prefix { $0.isNumber && $0.isASCII || $0 == "-" }
      // A track of 0 is 00 there.
      let parts = number.split(separator: "-").compactMap { $0 == "00" ? 0 : positive($0) }
      if (1...2).contains(parts.count), rest.dropFirst(number.count).first == " " {
        song.track = parts.last
        song.disc = parts.count == 2 ? parts.first : nil
        rest = rest.dropFirst(number.count + 1)
      }
      // The artist is there only where it isn't the album's; a title may have a dash in it, too.
      // Who compares looks at both.
      if let dash = rest.firstRange(of: " - ") {
        song.artist = String(rest[..<dash.lowerBound])
        song.title = String(rest[dash.upperBound...])
      } else {
        song.title = String(rest)
      }
      return song
    }

    /// `Artist - Title (1978)`, without the year.
    private func split(_ text: String) -> (String, String) {
      var text = text[...]
      let end = text.utf8.suffix(7)
      if end.starts(with: " (".utf8), end.last == UInt8(ascii: ")"),
        end.dropFirst(2).dropLast().allSatisfy({ (0x30...0x39).contains($0) })
      {
        text = text.dropLast(7)
      }
      guard let dash = text.firstRange(of: " - ") else { return ("", String(text)) }
      return (String(text[..<dash.lowerBound]), String(text[dash.upperBound...]))
    }

    /// What a snapshot's album is told by, where that is its tags: their names, folded.
    private func grouped(_ text: ArraySlice<UInt8>) -> (String, String) {
      var rest = text
      let group = word(&rest)
      guard group.hasPrefix("group="), let bytes = decoded(Array(group.utf8)[6...]) else {
        return ("", "")
      }
      let parts = bytes.split(separator: 0x09, omittingEmptySubsequences: false)
      guard parts.count >= 3, parts[0].elementsEqual("by".utf8) else { return ("", "") }
      return (words(parts[1]), words(parts[2]))
    }

    /// What was cut for people is no title.
    private func shown(_ text: ArraySlice<UInt8>) -> String {
      let text = words((decoded(text) ?? Array(text))[...])
      return text.utf8.count > 200 && text.hasSuffix("…") ? "" : text
    }

    /// `key=value` up to the path, which is the rest.
    private func stored(_ text: ArraySlice<UInt8>) throws(ListFault) -> WantedSong {
      var song = WantedSong()
      (song.album, song.albumArtist) = (album, artist)
      var rest = text
      while let first = rest.first, first != UInt8(ascii: "/") {
        var ahead = rest
        let pair = word(&ahead)
        guard let equals = pair.firstIndex(of: "=") else { break }
        guard let value = decoded(Array(pair[pair.index(after: equals)...].utf8)[...]) else {
          throw ListFault(.file, "a % that is not followed by two digits")
        }
        let text = words(value[...])
        switch pair[..<equals] {
        case "disc": song.disc = positive(text)
        case "track": song.track = text == "0" ? 0 : positive(text)
        case "title": song.title = text
        case "seconds": song.milliseconds = milliseconds(ofSeconds: text)
        case "recording": song.recording = text
        case "release": song.release = text
        case "artist": song.artist = text
        case "album": song.album = text
        case "albumartist": song.albumArtist = text
        default: break
        }
        rest = ahead
      }
      guard let path = decoded(rest), !path.isEmpty else {
        throw ListFault(.file, "a song without a path")
      }
      song.path = pathText(path[...])
      return song
    }

    /// The next word and the blank after it, taken.
    private func word(_ rest: inout ArraySlice<UInt8>) -> String {
      let word = rest.prefix { $0 != 0x20 && $0 != 0x09 }
      rest = rest.dropFirst(word.count).drop { $0 == 0x20 || $0 == 0x09 }
      return String(decoding: word, as: UTF8.self)
    }

    /// %XX undone; nil where a % is not followed by two digits.
    private func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
      guard text.contains(UInt8(ascii: "%")) else { return Array(text) }
      var bytes: [UInt8] = []
      var rest = text
      while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
          bytes.append(byte)
          continue
        }
        let digits = rest.prefix(2)
        guard digits.count == 2, digits.allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
          let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      }
      return bytes
    }
  }
}
