import CratesInterface

/// JSPF: XSPF as JSON (https://www.xspf.org/jspf), with what ListenBrainz adds to it.
enum JSPF {
  /// Values of all kinds; a song has about twenty, with what ListenBrainz adds.
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
    song.recording = texts(track["identifier"]).lazy.map(musicBrainzID).first { !$0.isEmpty } ?? ""
    song.title = words(track["title"]?.string ?? "")
    song.artist = words(track["creator"]?.string ?? "")
    song.album = words(track["album"]?.string ?? "")
    song.track = track["trackNum"].flatMap { number in
      number.integer.flatMap { $0 > 0 ? $0 : nil } ?? number.string.flatMap { positive($0) }
    }
    song.milliseconds = milliseconds(
      track["duration"].flatMap { $0.integer ?? $0.string.flatMap { Int($0) } })
    let added = track["extension"]?["https://musicbrainz.org/doc/jspf#track"]
    song.release =
      texts(added?["release_identifier"]).lazy.map(musicBrainzID)
      .first { !$0.isEmpty } ?? ""
    return song
  }

  /// One text or several.
  private static func texts(_ value: JSON?) -> [String] {
    if let text = value?.string { return [text] }
    return value?.array?.compactMap(\.string) ?? []
  }
}
