import Text

@testable import ImportedLists

/// What was read, as the golden file has it.
func rendered(_ file: ListFile) -> String {
  var lines: [String] = []
  for list in file.lists {
    let folders = list.folders.isEmpty ? "" : " in \(list.folders.joined(separator: " / "))"
    lines.append("list \(list.name)\(folders)\(list.isOrdered ? "" : ", unordered")")
    lines += list.songs.map { "  \(rendered($0))" }
  }
  lines += file.leftOut.map { "left \($0.name): \($0.reason.rawValue)" }
  return lines.map { $0 + "\n" }.joined()
}

func rendered(_ song: WantedSong) -> String {
  var parts = [song.path]
  let texts = [
    ("title", song.title), ("artist", song.artist), ("album", song.album),
    ("albumartist", song.albumArtist),
  ]
  for (name, text) in texts where !text.isEmpty { parts.append("\(name) \(text)") }
  if let disc = song.disc { parts.append("disc \(disc)") }
  if let track = song.track { parts.append("track \(track)") }
  if song.milliseconds != 0 { parts.append("\(song.milliseconds) ms") }
  if !song.recording.isEmpty { parts.append("recording \(song.recording)") }
  if !song.release.isEmpty { parts.append("release \(song.release)") }
  return parts.joined(separator: " | ")
}

/// The paths of the only list.
func paths(_ file: ListFile) -> [String] { file.lists.flatMap { $0.songs.map(\.path) } }

extension ListFile {
  init(
    of bytes: [UInt8], named name: String, beside: [UInt8]? = nil
  ) throws(ListFault) {
    try self.init(of: bytes, named: name, beside: beside, CodePages())
  }
}
