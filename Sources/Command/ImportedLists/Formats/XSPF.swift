/// XSPF, version 0 and 1 (https://www.xspf.org/spec), and what Quod Libet wrote before it kept to
/// that: no namespace, and plain paths for addresses.
enum XSPF {
  /// - Parameter reader: in the root.
  static func file(
    _ reader: inout XMLReader, named name: String
  ) throws(ListFault) -> ListFile {
    var list = ImportedList(name: name)
    var count = ListCount()
    let base = reader.attribute("xml:base") ?? ""
    try reader.forEachElement { (reader) throws(ListFault) in
      switch reader.localName {
      case "title":
        let title = words(try reader.content())
        if !title.isEmpty { list.name = title }
      case "trackList":
        let base = joined(base, reader.attribute("xml:base") ?? "")
        try reader.forEachElement { (reader) throws(ListFault) in
          guard reader.localName == "track" else { return try reader.skip() }
          try count.addSong()
          list.songs.append(try song(&reader, base))
        }
      default: try reader.skip()
      }
    }
    return ListFile(list)
  }

  private static func song(
    _ reader: inout XMLReader, _ base: String
  ) throws(ListFault) -> WantedSong {
    let base = joined(base, reader.attribute("xml:base") ?? "")
    var song = WantedSong()
    try reader.forEachElement { (reader) throws(ListFault) in
      let key = String(reader.localName)
      let value = words(try reader.content())
      switch key {
      case "location": add(joined(base, value), to: &song)
      case "identifier": if song.recording.isEmpty { song.recording = musicBrainzID(value) }
      case "title": song.title = value
      case "creator": song.artist = value
      case "album": song.album = value
      case "trackNum": song.track = positive(value)
      case "duration": song.milliseconds = milliseconds(Int(value))
      default: break
      }
    }
    return song
  }

  /// Several are alternatives: the first one that is a file.
  static func add(_ location: String, to song: inout WantedSong) {
    if song.path.isEmpty || (isRemote(song.path) && !isRemote(location)) { song.path = location }
  }

  private static func isRemote(_ location: String) -> Bool {
    guard let scheme = scheme(of: location) else { return false }
    return scheme != "file"
  }

  /// Nil for a plain path. One letter is a drive.
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

  /// An address that is relative to another; as far as folders go, which is all that bases are.
  private static func joined(_ base: String, _ location: String) -> String {
    guard !base.isEmpty, !location.isEmpty, scheme(of: location) == nil,
      !location.hasPrefix("/"), let slash = base.utf8.lastIndex(of: UInt8(ascii: "/"))
    else { return location.isEmpty ? base : location }
    return String(base[...slash]) + location
  }
}
