package import LibraryModel

/// The order as text to be edited: the lines of a snapshot without header and end. What follows an
/// id is for people, and is not read again.
package enum OrderText {
  /// Bytes of the text after an id.
  private static let longestTitle = 200

  /// - Parameters:
  ///   - crates: those to show, with what is gone: it has its place.
  ///   - only: the one album to show of them; nil for all.
  ///   - hasSongs: whether the songs of the albums are shown.
  package static func text(
    _ library: Library, of crates: [Crate], only: AlbumID? = nil, hasSongs: Bool = true
  ) -> String {
    var text: [UInt8] = []
    for crate in crates {
      text += "crate ".utf8
      Escaping.append(Array(crate.name.utf8), to: &text)
      text.append(UInt8(ascii: "\n"))
      for album in (only.map { [$0] } ?? Array(crate.albums)).compactMap({ library.albums[$0] }) {
        append(album, of: library, hasSongs: hasSongs, to: &text)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// An order that nobody reads, but for ids.
  package static func text(_ order: WrittenOrder) -> String {
    var text: [UInt8] = []
    for crate in order.crates {
      text += "crate \(crate.id.map { "\($0) " } ?? "")".utf8
      Escaping.append(Array(crate.name.utf8), to: &text)
      text.append(UInt8(ascii: "\n"))
      for album in crate.albums {
        text += "\talbum \(album.id)\n".utf8
        for song in album.songs { text += "\t\tsong \(song.id)\n".utf8 }
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func append(
    _ album: Album, of library: Library, hasSongs: Bool, to text: inout [UInt8]
  ) {
    let face = library.passingFace(of: album)
    text += "\talbum\(album.isArranged ? "*" : "") \(album.id) ".utf8
    let year = face.year.map { " (\($0))" } ?? ""
    append(
      (face.artist.isEmpty ? "" : "\(face.artist) - ") + face.title
        + (face.title.hasSuffix(year) ? "" : year), to: &text)
    if !hasSongs { return }
    let songs = library.songs(of: album)
    let hasDiscs = Set(songs.compactMap(\.disc)).count > 1
    for song in songs {
      let word: String =
        switch library.presence(of: song) {
        case .present: "song"
        case .offline: "offline"
        case .gone: "gone"
        }
      text += "\t\t\(word) \(song.id) ".utf8
      append(shown(song, in: face, hasDiscs: hasDiscs), to: &text)
    }
  }

  /// `01 So What`, `2-01 So What`; with its artist where that is not the album's.
  private static func shown(_ song: Song, in face: AlbumFace, hasDiscs: Bool) -> String {
    var shown = ""
    if let track = song.track {
      if hasDiscs, let disc = song.disc { shown += "\(disc)-" }
      shown += "\(track < 10 ? "0" : "")\(track) "
    }
    if !song.artist.isEmpty, folded(song.artist) != folded(face.artist) {
      shown += "\(song.artist) - "
    }
    return shown + song.title
  }

  private static func append(_ title: String, to text: inout [UInt8]) {
    var bytes = Array(title.utf8)[...]
    if bytes.count > longestTitle {
      bytes = bytes.prefix(longestTitle)
      // Not in the middle of a character.
      while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
      bytes += "…".utf8
    }
    Escaping.append(bytes, to: &text)
    text.append(UInt8(ascii: "\n"))
  }
}
