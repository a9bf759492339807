/// The lines of a list that name something, whoever wrote it.
package enum PlaylistLines {
  /// - Returns: nil where it is a list of another kind (PLS, XSPF), which nobody makes of ours.
  package static func names(in bytes: [UInt8]) -> [ArraySlice<UInt8>]? {
    var rest = bytes[...]
    // A byte order mark.
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    let start = rest.drop { $0 <= 0x20 }
    if start.starts(with: "[playlist]".utf8) || start.starts(with: "<?xml".utf8) { return nil }
    return rest.split(separator: 0x0A).compactMap { part in
      let line = part.last == 0x0D ? part.dropLast() : part
      let isComment = line.first == UInt8(ascii: "#")
      return isComment || line.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? nil : line
    }
  }
}
