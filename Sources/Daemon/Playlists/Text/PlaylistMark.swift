package import LibraryModel

/// The line by which crated knows its own files, with the file's name: a copy that somebody made
/// has another one, and is theirs.
package enum PlaylistMark {
  /// How much of a file is looked at for it. Ours is the second line.
  static let reach = 4096
  private static let word = Array("#CRATED".utf8)

  static func line(for file: BytePath) -> [UInt8] {
    word + ":".utf8 + file.bytes + "\n".utf8
  }

  /// The name that the mark gives; nil where there is no mark among the comments that a file begins
  /// with. An empty one where the mark has none.
  ///
  /// - Parameter beginning: of the file, `reach` bytes or all.
  package static func name(in beginning: ArraySlice<UInt8>) -> BytePath? {
    for part in beginning.split(separator: UInt8(ascii: "\n")) {
      // Other programs save with other ends of line, and with a byte order mark.
      let line = part.last == UInt8(ascii: "\r") ? part.dropLast() : part
      let text = line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
      if text.isEmpty { continue }
      guard text.first == UInt8(ascii: "#") else { return nil }
      guard text.starts(with: word) else { continue }
      let rest = text.dropFirst(word.count)
      if rest.isEmpty { return BytePath([]) }
      if rest.first == UInt8(ascii: ":") { return BytePath(Array(rest.dropFirst())) }
    }
    return nil
  }
}
