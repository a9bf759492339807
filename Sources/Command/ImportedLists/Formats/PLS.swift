/// PLS: the keys `FileN`, `TitleN` and `LengthN`, in any case and any order. N is the song's
/// position.
enum PLS {
  static func isOne(_ text: [UInt8]) -> Bool {
    Lines(of: text).first { !trimmed($0).isEmpty }.map(isHead) ?? false
  }

  private static func isHead(_ line: ArraySlice<UInt8>) -> Bool {
    isSame(trimmed(line), "[playlist]")
  }

  static func file(_ text: [UInt8], named name: String) throws(ListFault) -> ListFile {
    try refuseZeros(in: text)
    var songs: [Int: WantedSong] = [:]
    var titles: [Int: ArraySlice<UInt8>] = [:]
    var count = ListCount()
    for (number, line) in zip(1..., Lines(of: text)) {
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let key = trimmed(line[..<equals]).map(lower)
      let value = trimmed(line[(equals + 1)...])
      let word = String(decoding: key.prefix { $0 > UInt8(ascii: "9") }, as: UTF8.self)
      guard ["file", "title", "length"].contains(word),
        let place = positive(String(decoding: key.dropFirst(word.utf8.count), as: UTF8.self))
      else { continue }
      if songs[place] == nil { try count.addSong() }
      var song = songs[place] ?? WantedSong()
      switch word {
      case "file":
        if !song.path.isEmpty {
          throw ListFault(.line(number), "the list has a song number \(place) already")
        }
        song.path = pathText(value)
      case "title": titles[place] = value
      default: song.set(.seconds, to: String(decoding: value, as: UTF8.self))
      }
      songs[place] = song
    }
    var list = ImportedList(name: name)
    for (place, var song) in songs.sorted(by: { $0.key < $1.key }) where !song.path.isEmpty {
      if let title = titles[place] { song.setTitle(shown: title) }
      list.songs.append(song)
    }
    if list.songs.isEmpty, !Lines(of: text).contains(where: isHead) {
      throw ListFault(.line(1), "its name says PLS, but it has neither “[playlist]” nor a “File1”")
    }
    return ListFile(list)
  }
}
