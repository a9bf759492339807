/// M3U and M3U8: a path per line, described by comments before it. There is no standard; this reads
/// what players write.
enum M3U {
  /// - Parameter name: The name of a list that doesn't contain its own.
  static func file(_ text: [UInt8], named name: String) throws(ListFault) -> ListFile {
    try refuseZeros(in: text)
    var list = ImportedList(name: name)
    var count = ListCount()
    // An album and its artist describe all songs up to the next.
    var (album, albumArtist) = ("", "")
    var about: ArraySlice<UInt8>?
    for line in Lines(of: text) {
      if trimmed(line).isEmpty { continue }
      guard line.first == UInt8(ascii: "#") else {
        try count.addSong()
        var song = WantedSong()
        song.path = pathText(line)
        (song.album, song.albumArtist) = (album, albumArtist)
        if let about { read(about, into: &song) }
        about = nil
        list.songs.append(song)
        continue
      }
      if let rest = rest(of: line, after: "#EXTINF:") {
        about = rest
      } else if let rest = rest(of: line, after: "#EXTALB:") {
        album = words(rest)
      } else if let rest = rest(of: line, after: "#EXTART:") {
        albumArtist = words(rest)
      } else if let rest = rest(of: line, after: "#PLAYLIST:"), !trimmed(rest).isEmpty {
        list.name = words(rest)
      }
    }
    return ListFile(list)
  }

  private static func rest(
    of line: ArraySlice<UInt8>, after word: StaticString
  ) -> ArraySlice<UInt8>? {
    begins(line, word) ? line.dropFirst(word.utf8CodeUnitCount) : nil
  }

  /// Reads `123,artist - title`. Some programs write `key="value"` pairs behind the seconds, which
  /// may contain commas.
  private static func read(_ about: ArraySlice<UInt8>, into song: inout WantedSong) {
    var isQuoted = false
    let comma = about.firstIndex { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ",") && !isQuoted
    }
    let seconds = trimmed(about[..<(comma ?? about.endIndex)]).prefix { !isBlank($0) }
    song.milliseconds = milliseconds(ofSeconds: String(decoding: seconds, as: UTF8.self))
    if let comma { song.setTitle(shown: about[(comma + 1)...]) }
  }
}
