import LibraryModel

/// The place of the playlists, and the paths of songs relative to it.
package struct PlaylistPlace: Hashable, Sendable {
  struct Root: Hashable, Sendable {
    /// The music folder as the settings name it; songs' paths begin with it.
    var named: BytePath
    /// The same without links: the kernel resolves `..` in the directory where a link leads.
    var real: BytePath
  }

  let directory: [UInt8]
  let roots: [Root]

  /// - Parameter directory: the directory of the playlists, without links.
  init(directory: BytePath, roots: [Root] = []) {
    self.directory = directory.bytes.last == slash ? directory.bytes : directory.bytes + [slash]
    self.roots = roots
  }

  /// Whether the paths of songs in the music folder around the playlists begin with two dots.
  var goesUp: Bool {
    let directory = BytePath(Array(directory.dropLast()))
    return roots.contains { directory != $0.real && directory.isInside($0.real) }
  }

  /// Returns the path of a song for a playlist.
  ///
  /// 1. If playlists and song are in one music folder, which may move as a whole, it is relative to
  ///    the playlists: `../Blue Train/01.flac`.
  /// 2. Else it is absolute, and begins as the settings name the folder, as MPD knows it.
  /// 3. If it contains the end of a line, no playlist can have it: nil.
  func path(to song: BytePath) -> [UInt8]? {
    if song.bytes.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
      return nil
    }
    for root in roots {
      guard let rest = song.relative(to: root.named) else { continue }
      let isInside = BytePath(Array(directory.dropLast())).isInside(root.real)
      return isInside ? relative(root.real.appending(rest).bytes) : song.bytes
    }
    return song.bytes
  }

  private func relative(_ song: [UInt8]) -> [UInt8] {
    var common = 0
    for (index, (ours, theirs)) in zip(directory, song).enumerated() {
      if ours != theirs { break }
      if ours == slash { common = index + 1 }
    }
    let up = directory[common...].count { $0 == slash }
    let rest = song[common...]
    if up == 0 { return isMistakable(rest) ? Array("./".utf8) + rest : Array(rest) }
    var path: [UInt8] = []
    path.reserveCapacity(3 * up + rest.count)
    for _ in 0..<up { path += "../".utf8 }
    return path + rest
  }

  /// Returns whether players would take the line for a comment or an address, or drop its first
  /// characters.
  private func isMistakable(_ path: ArraySlice<UInt8>) -> Bool {
    path.prefix(1).contains { $0 <= 0x20 || $0 == UInt8(ascii: "#") }
      || path.prefix { $0 != slash }.contains(UInt8(ascii: ":"))
  }
}

let slash = UInt8(ascii: "/")
