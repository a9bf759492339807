import CratesInterface

/// JSPF: XSPF as JSON (https://www.xspf.org/jspf), with ListenBrainz's extensions.
enum JSPF {
  /// The most JSON values; a song has about twenty with ListenBrainz's extensions.
  private static let values = 30_000_000

  static func file(_ text: [UInt8], named name: String) throws(ListFault) -> ListFile {
    let json: JSON
    do throws(JSON.ParseError) {
      json = try JSON(parsing: text, limits: JSON.Limits(depth: ListLimits.depth, values: values))
    } catch {
      throw ListFault(.line(line(of: error.offset, in: text)), error.reason.rawValue)
    }
    guard let playlist = json["playlist"], let tracks = playlist["track"]?.array else {
      throw ListFault(.file, "JSON, but no playlist: it has no “playlist” with a “track” list")
    }
    var list = ImportedList(name: name)
    if let title = playlist["title"]?.string.map({ words($0) }), !title.isEmpty {
      list.name = title
    }
    var count = ListCount()
    for track in tracks {
      try count.addSong()
      list.songs.append(song(track))
    }
    return ListFile(list)
  }

  private static func song(_ track: JSON) -> WantedSong {
    var song = WantedSong()
    for location in texts(track["location"]) { XSPF.add(words(location), to: &song) }
    for (key, field) in XSPF.fields {
      guard let value = track[key] else { continue }
      song.set(field, to: value.string ?? value.integer.map { "\($0)" } ?? "")
    }
    let added = track["extension"]?["https://musicbrainz.org/doc/jspf#track"]
    song.recording = id(in: track["identifier"])
    song.release = id(in: added?["release_identifier"])
    return song
  }

  private static func id(in value: JSON?) -> String {
    texts(value).lazy.map(musicBrainzID).first { !$0.isEmpty } ?? ""
  }

  /// Reads one text or several.
  private static func texts(_ value: JSON?) -> [String] {
    if let text = value?.string { return [text] }
    return value?.array?.compactMap(\.string) ?? []
  }
}
