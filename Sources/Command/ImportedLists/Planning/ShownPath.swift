import Text

extension WantedSong {
  /// The path for users: that in a `file:` URL.
  package var shownPath: String {
    guard path.lowercased().hasPrefix("file:") else { return path }
    var rest = path.utf8.dropFirst(5)
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2).drop { $0 != UInt8(ascii: "/") }
    }
    var decoded = percentDecodedIfEscaped(Array(rest))[...]
    // A drive of Windows: file:///C:/Music.
    if decoded.count > 2, decoded[2] == UInt8(ascii: ":") { decoded = decoded.dropFirst() }
    return String(validating: decoded, as: UTF8.self) ?? path
  }
}
