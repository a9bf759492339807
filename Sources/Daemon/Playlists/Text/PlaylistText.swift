package import LibraryModel
package import Platform

/// Writes crates as extended M3U: UTF-8, except that paths are their exact bytes.
///
/// There is no standard. This is what players agree on: `#EXTM3U` as the exact first line, no byte
/// order mark, paths relative to the playlist, nothing percent-encoded.
package struct PlaylistText {
  /// The maximum length of a title or name in bytes; players limit the length of a line.
  private static let longestText = 1024
  /// The size of a piece in bytes, which may exceed this by one song.
  private static let piece = 64 << 10
  /// The maximum number of left-out songs that are returned.
  private static let mostLeftOut = 100

  private let place: PlaylistPlace
  private let ending: PlaylistEnding
  private let library: Library

  package init(_ library: Library, at place: PlaylistPlace, _ ending: PlaylistEnding = .m3u8) {
    self.library = library
    self.place = place
    self.ending = ending
  }

  /// Returns the songs in a crate's list.
  func songs(of crate: Crate) -> [SongID] {
    crate.albums.compactMap { library.albums[$0] }.flatMap { library.listedSongs(of: $0) }
      .compactMap { place.path(to: $0.path) == nil ? nil : $0.id }
  }

  /// Returns the first lines of the list with that name. The name distinguishes the list from a
  /// copy, which a player may have read instead.
  static func head(of file: BytePath) -> [UInt8] {
    Array("#EXTM3U\n#CRATED:".utf8) + file.bytes + "\n".utf8
  }

  /// Writes a crate's list piece by piece.
  ///
  /// - Parameters:
  ///   - file: the name of the playlist.
  ///   - append: receives a piece; returns whether it wants more.
  /// - Returns: songs, a hundred at most, that can't be in a playlist because of a line break in
  ///   their paths.
  /// - Throws: what `append` throws.
  package func write(
    _ crate: Crate, named file: BytePath,
    to append: ([UInt8]) throws(SystemCallError) -> Bool
  ) throws(SystemCallError) -> [BytePath] {
    var leftOut: [BytePath] = []
    var text = Self.head(of: file)
    add("#PLAYLIST:", crate.name, to: &text)
    for id in crate.albums {
      guard let album = library.albums[id] else { continue }
      var hasAlbum = false
      for song in library.listedSongs(of: album) {
        guard let path = place.path(to: song.path) else {
          if leftOut.count < Self.mostLeftOut { leftOut.append(song.path) }
          continue
        }
        if !hasAlbum { add(library.passingFace(of: album), to: &text) }
        hasAlbum = true
        add(song, to: &text)
        text += path
        text.append(UInt8(ascii: "\n"))
        if text.count >= Self.piece {
          guard try append(text) else { return leftOut }
          text.removeAll(keepingCapacity: true)
        }
      }
    }
    _ = try append(text)
    return leftOut
  }

  /// Adds an album's two lines, even empty ones: to players they describe all songs up to the next.
  private func add(_ face: AlbumFace, to text: inout [UInt8]) {
    add("#EXTALB:", face.title, to: &text)
    add("#EXTART:", face.artist, to: &text)
  }

  private func add(_ song: Song, to text: inout [UInt8]) {
    text += "#EXTINF:\(seconds(song.milliseconds)),".utf8
    // MPD would show this title beside its own.
    if ending == .m3u {
      text.append(UInt8(ascii: "\n"))
      return
    }
    if !song.artist.isEmpty {
      text += inLine(song.artist).utf8
      text += " - ".utf8
    }
    add("", song.title, to: &text)
  }

  private func add(_ word: String, _ value: String, to text: inout [UInt8]) {
    text += word.utf8
    text += inLine(value).utf8
    text.append(UInt8(ascii: "\n"))
  }

  /// Rounds to seconds. An unknown length is -1, as players write it; a known one is at least 1.
  private func seconds(_ milliseconds: Int) -> Int {
    if milliseconds <= 0 { return -1 }
    return max(1, milliseconds / 1000 + (milliseconds % 1000 >= 500 ? 1 : 0))
  }

  /// Replaces characters that end a line, at least for some players, by blanks.
  private func inLine(_ value: String) -> String {
    let text = value.cut(toBytes: Self.longestText)
    let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    if isPlain, text.utf8.first != 0x20, text.utf8.last != 0x20 { return text }
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        if line.last != " " { line.append(" ") }
      default: line.append(scalar)
      }
    }
    while line.last == " " { line.removeLast() }
    return String(String(line).drop { $0 == " " })
  }
}
