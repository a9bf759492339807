/// XSPF, version 0 and 1 (https://www.xspf.org/spec), and the variant of older versions of Quod
/// Libet, with no namespace and with paths instead of URLs.
enum XSPF {
  /// The elements of a song that are values; JSPF has keys of the same names.
  static let fields: [String: WantedSong.Field] = [
    "title": .title, "creator": .artist, "album": .album, "trackNum": .track,
    "duration": .milliseconds,
  ]

  /// - Parameter reader: The reader at the root element.
  static func file(_ reader: XMLReader, named name: String) throws(ListFault) -> ListFile {
    var list = ImportedList(name: name)
    var count = ListCount()
    let root = reader.depth
    let base = reader.attribute("xml:base") ?? ""
    while try reader.nextElement(in: root) {
      switch reader.name {
      case "title":
        let title = words(try reader.content())
        if !title.isEmpty { list.name = title }
      case "trackList":
        let tracks = reader.depth
        let base = joined(base, reader.attribute("xml:base") ?? "")
        while try reader.nextElement(in: tracks) {
          guard reader.name == "track" else { continue }
          try count.addSong()
          list.songs.append(try song(reader, base))
        }
      default: break
      }
    }
    return ListFile(list)
  }

  private static func song(_ reader: XMLReader, _ base: String) throws(ListFault) -> WantedSong {
    let base = joined(base, reader.attribute("xml:base") ?? "")
    var song = WantedSong()
    let track = reader.depth
    while try reader.nextElement(in: track) {
      switch reader.name {
      case "location": add(joined(base, words(try reader.content())), to: &song)
      case "identifier" where song.recording.isEmpty:
        song.set(.recording, to: try reader.content())
      case let name:
        if let field = fields[name] { song.set(field, to: try reader.content()) }
      }
    }
    return song
  }

  /// Sets the path. Several locations are alternatives; the first one that is a file counts.
  static func add(_ location: String, to song: inout WantedSong) {
    if song.path.isEmpty || (isRemote(song.path) && !isRemote(location)) { song.path = location }
  }

  private static func isRemote(_ location: String) -> Bool {
    guard let scheme = scheme(of: location) else { return false }
    return scheme != "file"
  }

  /// Returns the scheme of a URL; nil for a path. A single letter is a drive.
  private static func scheme(of location: String) -> String? {
    let scheme = location.utf8.prefix { byte in
      let letter = lower(byte)
      return (0x61...0x7A).contains(letter) || (0x30...0x39).contains(letter)
        || [0x2B, 0x2D, 0x2E].contains(byte)
    }
    let rest = location.utf8.dropFirst(scheme.count)
    guard scheme.count > 1, rest.first == UInt8(ascii: ":") else { return nil }
    return String(decoding: scheme.map(lower), as: UTF8.self)
  }

  /// Resolves a relative location against a base, which is a folder.
  private static func joined(_ base: String, _ location: String) -> String {
    guard !base.isEmpty, !location.isEmpty, scheme(of: location) == nil,
      !location.hasPrefix("/"), let slash = base.utf8.lastIndex(of: UInt8(ascii: "/"))
    else { return location.isEmpty ? base : location }
    return String(base[...slash]) + location
  }
}
