import LibraryModel

/// Reads the lines of lists that players wrote: paths, and comments that describe them.
package enum PlaylistLines {
  private static let comment = UInt8(ascii: "#")

  /// Counts the paths. Returns nil for a list of another format (PLS, XSPF).
  package static func count(in bytes: [UInt8]) -> Int? {
    lines(in: bytes).map { lines in lines.reduce(0) { $0 + ($1.first == comment ? 0 : 1) } }
  }

  /// Returns the paths with the descriptions in the comments; nil for a list of another format.
  ///
  /// - Parameter text: UTF-8, except in paths.
  static func wanted(in text: [UInt8]) -> [Wanted]? {
    guard let lines = lines(in: text) else { return nil }
    var wanted: [Wanted] = []
    // The comments on an album and its artist describe all songs below that have a comment of their
    // own: MPD appends bare lines to crated's lists.
    var about = Wanted()
    var isDescribed = false
    for line in lines {
      if line.first == comment {
        if read(line, into: &about) { isDescribed = true }
        continue
      }
      var one = isDescribed ? about : Wanted()
      one.path = Array(line)
      if isName(one.title, of: line) { one.title = "" }
      wanted.append(one)
      isDescribed = false
    }
    return wanted
  }

  /// Guesses from what the player wrote which of crated's lists it had read.
  ///
  /// 1. MPD reads a list for each edit (`anew`). It writes no comments and leaves the paths in the
  /// 1. MPD reads a list for each edit (`anew`). It writes no comments and leaves the paths in the
  ///    list as they are: some still begin with `../`. Or it adds lines below crated's comments.
  ///    MPD's music folder.
  /// 3. Other players hold a list in memory (`held`). They write absolute paths, or their own
  ///    comments.
  ///
  /// - Parameter goesUp: whether paths in crated's lists begin with `../`.
  static func reading(
    of bytes: [UInt8], named file: BytePath, goesUp: Bool
  ) -> EditedList.Reading {
    guard let lines = lines(in: bytes) else { return .held }
    var (hasComments, hasInside, goesUpItself) = (false, false, false)
    var (last, before): (ArraySlice<UInt8>?, ArraySlice<UInt8>?)
    for line in lines {
      (before, last) = (last, line)
      if line.first == comment { hasComments = true }
      if isInside(line) { hasInside = true }
      if line.starts(with: "../".utf8) { goesUpItself = true }
    }
    guard let last else { return .held }
    if hasComments {
      // A player adds lines at the end.
      let isAdded = before?.first != comment && isInside(last)
      return isAdded && bytes.starts(with: PlaylistText.head(of: file)) ? .anew : .held
    }
    guard hasInside else { return .held }
    return !goesUp || goesUpItself ? .anew : .loaded
  }

  /// Returns whether a line is a relative path.
  private static func isInside(_ line: ArraySlice<UInt8>) -> Bool {
    if line.first == slash || line.first == comment { return false }
    // An address, or a Windows path.
    let first = line.prefix { $0 != slash && $0 != UInt8(ascii: "\\") }
    return first.last != UInt8(ascii: ":")
  }

  private static func lines(in bytes: [UInt8]) -> Lines? {
    var rest = bytes[...]
    // Skips a byte order mark.
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    let start = rest.drop { $0 <= 0x20 }
    if start.starts(with: "[playlist]".utf8) || start.starts(with: "<?xml".utf8) { return nil }
    return Lines(rest: rest)
  }

  /// The lines that are not blank, one at a time, since a file may consist of line ends only.
  private struct Lines: Sequence, IteratorProtocol {
    var rest: ArraySlice<UInt8>

    mutating func next() -> ArraySlice<UInt8>? {
      while !rest.isEmpty {
        let part = rest.prefix { $0 != 0x0A }
        rest = rest.dropFirst(part.count + 1)
        let line = part.last == 0x0D ? part.dropLast() : part
        if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return line }
      }
      return nil
    }
  }

  /// Reads a comment. Returns whether it describes the next song.
  private static func read(_ line: ArraySlice<UInt8>, into about: inout Wanted) -> Bool {
    func rest(_ word: String) -> String? {
      guard line.starts(with: word.utf8) else { return nil }
      // Invalid UTF-8 counts as empty.
      return String(validating: line.dropFirst(word.utf8.count), as: UTF8.self) ?? ""
    }
    if let album = rest("#EXTALB:") {
      about.album = album
    } else if let artist = rest("#EXTART:") {
      about.albumArtist = artist
    } else if let text = rest("#EXTINF:") {
      let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
      // Attributes may follow the seconds.
      let seconds = parts.first?.split(separator: " ").first.flatMap { Double($0) } ?? 0
      about.milliseconds = (0..<1e7).contains(seconds) ? Int(seconds * 1000) : 0
      // Artist and title as the player shows them, in an order that can't be known.
      about.title = parts.count == 2 ? String(parts[1]) : ""
      return true
    }
    return false
  }

  /// Returns whether a title is the file's name, as some players write it.
  private static func isName(_ title: String, of line: ArraySlice<UInt8>) -> Bool {
    let name = line.split { $0 == slash || $0 == UInt8(ascii: "\\") }.last ?? []
    let stem = name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name
    return name.elementsEqual(title.utf8) || stem.elementsEqual(title.utf8)
  }
}
