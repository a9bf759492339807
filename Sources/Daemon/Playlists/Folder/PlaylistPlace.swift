import LibraryModel

/// Where playlists lie, and what the paths in them are relative to.
package struct PlaylistPlace: Hashable, Sendable {
  struct Root: Hashable, Sendable {
    /// As the settings name it, which songs' paths begin with.
    var named: BytePath
    /// Without links: the kernel goes up from where it is, and not from where it came from.
    var real: BytePath
  }

  let directory: [UInt8]
  let roots: [Root]

  /// - Parameter directory: without links.
  init(directory: BytePath, roots: [Root] = []) {
    self.directory = directory.bytes.last == slash ? directory.bytes : directory.bytes + [slash]
    self.roots = roots
  }

  /// Whether paths of songs in the music folder around the playlists begin with two dots.
  var goesUp: Bool {
    let directory = BytePath(Array(directory.dropLast()))
    return roots.contains { directory != $0.real && directory.isInside($0.real) }
  }

  /// The path of the song for a playlist: from the directory where both lie in one music folder,
  /// and may move together; else from the root, as the settings name the folder, since MPD knows
  /// its own by that. Nil where a playlist can't have it, whose paths end with their lines.
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

  /// Whether a line would be taken for a comment or an address, or lose what it begins with.
  private func isMistakable(_ path: ArraySlice<UInt8>) -> Bool {
    path.prefix(1).contains { $0 <= 0x20 || $0 == UInt8(ascii: "#") }
      || path.prefix { $0 != slash }.contains(UInt8(ascii: ":"))
  }
}

let slash = UInt8(ascii: "/")
