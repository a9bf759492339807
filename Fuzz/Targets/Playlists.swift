import LibraryModel
import Platform

@testable import Playlists

/// A file that may be a playlist of ours, and names, paths and tags (between NULs) of a crate that
/// becomes one.
func fuzzPlaylist(_ input: [UInt8]) {
  let wanted = PlaylistLines.wanted(in: input)
  for path in (wanted ?? []).map(\.path) {
    require(!path.isEmpty && path.first != UInt8(ascii: "#"), "a line names something")
  }
  require(wanted?.count == PlaylistLines.count(in: input), "each is counted, and nothing else")
  let fields = input.split(separator: 0).prefix(12).map { Array($0) }
  var names: [String] = []
  var taken: Set<String> = []
  for field in fields {
    let name = String(decoding: field.prefix(300), as: UTF8.self)
    if crateNameFault(name) == nil, taken.insert(folded(name)).inserted { names.append(name) }
  }
  let files = PlaylistName.names(of: names, input.count % 2 == 0 ? .m3u : .m3u8)
  require(files.count == names.count, "each crate has a file")
  require(Set(files.map { folded($0.display) }).count == files.count, "no two have the same")
  for file in files {
    require(file.bytes.count <= 255 && !file.bytes.contains(0x2F), "a file can be called that")
    require(file.bytes[0] != 0x2E && file.bytes[0] != 0x2D, "it is not hidden, and no option")
  }
  guard let name = names.first, let library = library(name, fields) else { return }
  let directories = ["/", "/m/Lists", "/n"]
  check(library, files[0], BytePath(directories[input.count % directories.count]))
}

private func library(_ name: String, _ fields: [[UInt8]]) -> Library? {
  var library = Library()
  let album = AlbumID(number: 1)
  do {
    try library.apply(.crateAdded(name, after: nil), by: .person)
    try library.apply(
      .albumAdded(
        album, AlbumRecord(crate: name, after: nil, group: GroupKey(family: "x"))),
      by: .person)
    for (number, field) in fields.enumerated() {
      let id = SongID(number: UInt64(number + 2))
      try library.apply(
        .songAdded(
          id,
          SongRecord(
            album: album, after: library.albums[album]?.entries.last, path: path(field),
            digest: nil, added: 0)), by: .person)
      var tags = SongTags()
      tags.title = String(decoding: field, as: UTF8.self)
      tags.artist = String(decoding: fields[(number + 1) % fields.count], as: UTF8.self)
      tags.album = tags.artist
      var audio = AudioProperties()
      audio.milliseconds = number * field.count * 99
      let stamp = FileStamp(
        identity: FileIdentity(fileSystem: 1, inode: id.number, birth: 0), size: 1, modified: 0,
        changed: 0)
      library.attach(
        FileFacts(stamp: stamp, tags: tags, audio: audio, digest: nil, format: "flac"), to: id)
    }
  } catch {
    return nil
  }
  return library
}

private func check(_ library: Library, _ file: BytePath, _ directory: BytePath) {
  guard let crate = library.crates.first, let first = crate.albums.first,
    let album = library.albums[first]
  else { return }
  var text: [UInt8] = []
  let root = PlaylistPlace.Root(named: BytePath("/m"), real: BytePath("/m"))
  let place = PlaylistPlace(directory: directory, roots: [root])
  let written = Result { () throws(SystemCallError) in
    try PlaylistText(library, at: place).write(crate, named: file) {
      (piece) throws(SystemCallError) in
      text += piece
      return true
    }
  }
  require((try? written.get()) != nil, "writing into memory does not fail")
  let head = Array("#EXTM3U\n#CRATED:".utf8) + file.bytes + [0x0A]
  require(text.starts(with: head), "the first lines are exact")
  let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
  let words = ["#EXTM3U", "#CRATED:", "#PLAYLIST:", "#EXTALB:", "#EXTART:", "#EXTINF:"]
  for line in lines where line.first == UInt8(ascii: "#") {
    require(words.contains { line.starts(with: Array($0.utf8)) }, "no text becomes a line")
  }
  let found = lines.filter { $0.first != UInt8(ascii: "#") }.map { line in
    plain(line.first == 0x2F ? Array(line) : directory.bytes + [0x2F] + line)
  }
  let expected = library.listedSongs(of: album).map(\.path).filter { path in
    !path.bytes.contains { $0 == 0x0A || $0 == 0x0D }
  }
  require(found == expected, "what is read again are the songs in their order")
}

private func path(_ field: [UInt8]) -> BytePath {
  plain(Array("/m/".utf8) + field.filter { $0 != 0x2E } + Array("/a.flac".utf8))
}

private func plain(_ path: [UInt8]) -> BytePath {
  var parts: [[UInt8]] = []
  for part in path.split(separator: 0x2F).map({ Array($0) }) {
    switch part {
    case [0x2E]: continue
    case [0x2E, 0x2E]: parts.removeLast()
    default: parts.append(part)
    }
  }
  return BytePath(parts.flatMap { [0x2F] + $0 })
}
