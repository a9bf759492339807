package import LibraryModel

/// The whole library as text (store-format.md): crate, album, song, one line each.
package enum Snapshot {
  static let version = 1

  package static func text(_ library: Library) -> [UInt8] {
    var writer = SnapshotWriter(library: library)
    return writer.write()
  }

  /// Returns the text as if the user had edited it: without a seal.
  static func editedText(_ library: Library) -> [UInt8] {
    var text = text(library).dropLast()
    while let last = text.last, last != 0x0A { text.removeLast() }
    return Array(text) + Array("end edited\n".utf8)
  }
}

private struct SnapshotWriter {
  let library: Library
  var text: [UInt8] = []

  mutating func write() -> [UInt8] {
    text.reserveCapacity(library.songs.count * 230 + 4096)
    text += "crated \(Snapshot.version) sequence \(library.sequence)\n"
    for crate in library.crates {
      text += "crate \(crate.id) \(rest: crate.name)\n"
      for id in crate.albums { library.albums[id].map { write($0) } }
    }
    SealedText.seal(&text)
    return text
  }

  private mutating func write(_ album: Album) {
    text += "\talbum\("*", if: album.isArranged) \(album.id) group=\(album.group)"
    let touch = library.touches[album.id]
    text += "\(" touched=all", if: touch == .all)\(" touched=some", if: touch == .some)"
    text += "\(" new=1", if: library.renewed[album.id] != nil)\(" fresh=1", if: album.isFresh)"
    if album.seen != 0 { text += " seen=\(time: album.seen)" }
    if let came = library.arrivals[album.id] { text += " came=\(came)" }
    let face = library.passingFace(of: album)
    text.append(UInt8(ascii: " "))
    text += "\(title: face.artist.isEmpty ? face.title : "\(face.artist) - \(face.title)")\n"
    for alias in album.aliases { text += "\t\talso \(alias)\n" }
    for id in album.entries {
      guard let song = library.songs[id] else { continue }
      if song.album != album.id {
        text += "\t\tslot \(song.id) \(rest: song.title)\n"
      } else {
        write(song, in: album, isMarked: song.isTouched && touch != .all)
      }
    }
  }

  /// - Parameter isMarked: whether it counts as touched, and its album doesn't say so.
  private mutating func write(_ song: Song, in album: Album, isMarked: Bool) {
    let presence = library.presence(of: song)
    text += "\t\t\(word: presence.word) \(song.id) added=\(time: song.added)"
    if song.seen != song.added { text += " seen=\(time: song.seen)" }
    if song.digest != nil { text += " digest=\(song.digest)" }
    if isMarked { text += " touched=1" }
    if presence != .present || song.group != album.group { text += " group=\(song.group)" }
    // While it is unknown what is offline, as in recovery, the traits of an offline song must not
    // be lost: only facts can be read again from the file or the index.
    if presence != .present || song.facts == nil { text += "\(song.lasting)" }
    text += " \(rest: song.path.bytes)\n"
  }
}
