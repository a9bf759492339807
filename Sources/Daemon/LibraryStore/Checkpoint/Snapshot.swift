package import LibraryModel
import Platform

/// The whole library as text (Documentation/store-format.md): crate, album, song, one line each.
package enum Snapshot {
  static let version = 1

  package static func text(_ library: Library) -> [UInt8] {
    var writer = SnapshotWriter(library: library)
    return writer.write()
  }

  /// The same as if a person had edited it: without a seal.
  static func editedText(_ library: Library) -> [UInt8] {
    var text = text(library).dropLast()
    while let last = text.last, last != 0x0A { text.removeLast() }
    return Array(text) + Array("end edited\n".utf8)
  }
}

extension Snapshot {
  /// The last line of one that nobody edited.
  static func end(seal: [UInt8], lines: Int) -> [UInt8] {
    Array("end ".utf8) + seal + Array(" \(lines) lines\n".utf8)
  }
}

private struct SnapshotWriter {
  let library: Library
  var text: [UInt8] = []
  var lines = 0

  mutating func write() -> [UInt8] {
    text.reserveCapacity(library.songs.count * 230 + 4096)
    text += "crated \(Snapshot.version) sequence \(library.sequence)\n".utf8
    for crate in library.crates {
      text += "crate \(crate.id) ".utf8
      Escaping.append(Array(crate.name.utf8), to: &text)
      end()
      for id in crate.albums { library.albums[id].map { write($0) } }
    }
    text += Snapshot.end(seal: Checksum.text(of: text[...]), lines: lines)
    return text
  }

  private mutating func end() {
    text.append(UInt8(ascii: "\n"))
    lines += 1
  }

  private mutating func write(_ album: Album) {
    text += "\talbum\(album.isArranged ? "*" : "") \(album.id) group=".utf8
    GroupText.append(album.group, to: &text)
    let touch = library.touches[album.id]
    switch touch {
    case .all: text += " touched=all".utf8
    case .some: text += " touched=some".utf8
    case nil: break
    }
    if library.renewed[album.id] != nil { text += " new=1".utf8 }
    if album.isFresh { text += " fresh=1".utf8 }
    if album.seen != 0 { text += " seen=\(Timestamp.text(album.seen))".utf8 }
    if let came = library.arrivals[album.id] { text += " came=\(came)".utf8 }
    let face = library.passingFace(of: album)
    let shown = face.artist.isEmpty ? face.title : "\(face.artist) - \(face.title)"
    text.append(UInt8(ascii: " "))
    writeTitle(shown)
    end()
    for alias in album.aliases {
      text += "\t\talso \(alias)".utf8
      end()
    }
    for id in album.entries {
      guard let song = library.songs[id] else { continue }
      if song.album != album.id {
        writeSlot(song)
      } else {
        write(song, in: album, isMarked: song.isTouched && touch != .all)
      }
    }
  }

  /// For people alone. A title that begins like one of our words (`fresh=`) must not be read as
  /// one.
  private mutating func writeTitle(_ title: String) {
    var bytes = Array(title.utf8)[...]
    let word = bytes.prefix { $0 != 0x20 }
    if let equals = word.firstIndex(of: UInt8(ascii: "=")) {
      Escaping.append(bytes[..<equals], to: &text)
      text += "%3D".utf8
      bytes = bytes[(equals + 1)...]
    }
    Escaping.append(bytes, to: &text)
  }

  /// - Parameter isMarked: it counts as touched, and its album doesn't say so.
  private mutating func write(_ song: Song, in album: Album, isMarked: Bool) {
    let presence = library.presence(of: song)
    let kind =
      switch presence {
      case .present: "song"
      case .offline: "offline"
      case .gone: "gone"
      }
    text += "\t\t\(kind) \(song.id) added=\(Timestamp.text(song.added))".utf8
    if song.seen != song.added { text += " seen=\(Timestamp.text(song.seen))".utf8 }
    if song.digest != nil {
      text += " digest=".utf8
      DigestText.append(song.digest, to: &text)
    }
    if isMarked { text += " touched=1".utf8 }
    if presence != .present || song.group != album.group {
      text += " group=".utf8
      GroupText.append(song.group, to: &text)
    }
    // While it is not known what is away, as in recovery, what an offline song is known by must
    // not be lost: only facts can be had again from the file or the index.
    if presence != .present || song.facts == nil { TraitsText.append(song.lasting, to: &text) }
    text.append(UInt8(ascii: " "))
    Escaping.append(song.path.bytes, to: &text)
    end()
  }

  private mutating func writeSlot(_ song: Song) {
    text += "\t\tslot \(song.id) ".utf8
    Escaping.append(Array(song.title.utf8), to: &text)
    end()
  }
}
