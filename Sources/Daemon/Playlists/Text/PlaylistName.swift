package import LibraryModel

/// The names of crates' playlists.
package enum PlaylistName {
  /// The maximum length of a name in bytes; all common file systems allow as many.
  private static let longest = 255
  /// Characters that no file name can have, or that FAT refuses.
  private static let refused = Set<Unicode.Scalar>(["/", "\\", ":", "*", "?", "\"", "<", ">", "|"])

  /// Returns the file name for each of the crates, in the same order. It depends on which crates
  /// there are, and not on their order. No two names differ only in case.
  package static func names(of crates: [String], _ ending: PlaylistEnding) -> [BytePath] {
    let room = longest - ending.suffix.utf8.count
    let plain = crates.map { safe($0, room) }
    // A crate whose name is a valid file name has precedence.
    let order = crates.indices.sorted { left, right in
      let (isLeftFit, isRightFit) = (plain[left] == crates[left], plain[right] == crates[right])
      if isLeftFit != isRightFit { return isLeftFit }
      return crates[left].utf8.lexicographicallyPrecedes(crates[right].utf8)
    }
    var names = plain
    var taken: Set<String> = []
    for index in order {
      var number = 1
      while !taken.insert(folded(names[index])).inserted {
        number += 1
        let suffix = " (\(number))"
        names[index] = cut(plain[index], toBytes: room - suffix.utf8.count) + suffix
      }
    }
    return names.map { BytePath($0 + ending.suffix) }
  }

  private static func safe(_ crate: String, _ room: Int) -> String {
    var scalars = crate.unicodeScalars.map { refused.contains($0) ? "_" : $0 }
    // Otherwise the file would be hidden, or taken for an option when a shell expands `*`.
    if scalars.first == "." || scalars.first == "-" { scalars[0] = "_" }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return cut(String(text), toBytes: room)
  }

  private static func cut(_ text: String, toBytes most: Int) -> String {
    if text.utf8.count <= most { return text }
    var cut = text.cut(toBytes: most)
    while cut.last?.isWhitespace == true { cut.removeLast() }
    // Empty for one letter with more accents than there is room for.
    return cut.isEmpty ? "_" : cut
  }
}
