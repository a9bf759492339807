package import LibraryModel
package import Platform

/// A crate as an extended M3U, in UTF-8 but for paths, which are the bytes that they are.
///
/// There is no standard. What is written is what players agree on: `#EXTM3U` as the exact first
/// line, no byte order mark, paths relative to the playlist, nothing percent-encoded.
package struct PlaylistText {
  /// Bytes of a title or name; players have limits of their own for a line.
  private static let longestText = 1024
  /// Bytes that are given away at a time, and a song more at most.
  private static let piece = 64 << 10
  /// Songs that are named as left out.
  private static let mostLeftOut = 100

  private let place: PlaylistPlace
  private let ending: PlaylistEnding
  private let library: Library

  package init(_ library: Library, at place: PlaylistPlace, _ ending: PlaylistEnding = .m3u8) {
    self.library = library
    self.place = place
    self.ending = ending
  }

  /// The songs that its lines are of.
  func songs(of crate: Crate) -> [SongID] {
    crate.albums.compactMap { library.albums[$0] }.flatMap { library.listedSongs(of: $0) }
      .compactMap { place.path(to: $0.path) == nil ? nil : $0.id }
  }

  /// What a list of that name begins with. The name tells a list of ours from a copy of it, which a
  /// player may have read in its place.
  static func head(of file: BytePath) -> [UInt8] {
    Array("#EXTM3U\n#CRATED:".utf8) + file.bytes + "\n".utf8
  }

  /// Gives the text piece by piece, for as long as the taker wants more.
  ///
  /// - Parameter file: what the playlist is called.
  /// - Returns: songs, a hundred at most, that can't be in a playlist because of a line break in
  ///   their paths.
  package func write(
    _ crate: Crate, named file: BytePath, to take: ([UInt8]) throws(SystemCallError) -> Bool
  ) throws(SystemCallError) -> [BytePath] {
    var leftOut: [BytePath] = []
    var text = Self.head(of: file)
    append("#PLAYLIST:", crate.name, to: &text)
    for id in crate.albums {
      guard let album = library.albums[id] else { continue }
      var hasFace = false
      for song in library.listedSongs(of: album) {
        guard let path = place.path(to: song.path) else {
          if leftOut.count < Self.mostLeftOut { leftOut.append(song.path) }
          continue
        }
        if !hasFace { append(library.passingFace(of: album), to: &text) }
        hasFace = true
        append(song, to: &text)
        text += path
        text.append(UInt8(ascii: "\n"))
        if text.count >= Self.piece {
          guard try take(text) else { return leftOut }
          text.removeAll(keepingCapacity: true)
        }
      }
    }
    _ = try take(text)
    return leftOut
  }

  /// An album's two lines, also where one is empty: what a reader has heard of one album must not
  /// stick to the next.
  private func append(_ face: AlbumFace, to text: inout [UInt8]) {
    append("#EXTALB:", face.title, to: &text)
    append("#EXTART:", face.artist, to: &text)
  }

  private func append(_ song: Song, to text: inout [UInt8]) {
    text += "#EXTINF:\(seconds(song.milliseconds)),".utf8
    // MPD shows a title of ours beside the one that it knows.
    if ending == .m3u {
      text.append(UInt8(ascii: "\n"))
      return
    }
    if !song.artist.isEmpty {
      text += inLine(song.artist).utf8
      text += " - ".utf8
    }
    append("", song.title, to: &text)
  }

  private func append(_ word: String, _ value: String, to text: inout [UInt8]) {
    text += word.utf8
    text += inLine(value).utf8
    text.append(UInt8(ascii: "\n"))
  }

  /// Rounded. Unknown is -1, as players write it, and nothing that sounds lasts 0 seconds.
  private func seconds(_ milliseconds: Int) -> Int {
    if milliseconds <= 0 { return -1 }
    return max(1, milliseconds / 1000 + (milliseconds % 1000 >= 500 ? 1 : 0))
  }

  /// The text with a blank in place of what would end the line, or does so for some programs.
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
