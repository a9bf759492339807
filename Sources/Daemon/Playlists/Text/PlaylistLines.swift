import LibraryModel

/// The lines of a list that name something, whoever wrote it, and what the comments before them say
/// of it.
package enum PlaylistLines {
  private static let comment = UInt8(ascii: "#")

  /// How many there are.
  ///
  /// - Returns: nil where it is a list of another kind (PLS, XSPF), which nobody makes of ours.
  package static func count(in bytes: [UInt8]) -> Int? {
    lines(in: bytes).map { lines in lines.reduce(0) { $0 + ($1.first == comment ? 0 : 1) } }
  }

  /// The lines with what is said of them.
  ///
  /// - Parameter text: in UTF-8, but for paths.
  /// - Returns: nil where it is a list of another kind.
  static func wanted(in text: [UInt8]) -> [Wanted]? {
    guard let lines = lines(in: text) else { return nil }
    var wanted: [Wanted] = []
    // Album and its artist stand for all songs below them that are told of at all: MPD adds bare
    // lines at the end of a list of ours.
    var about = Wanted()
    var isTold = false
    for line in lines {
      if line.first == comment {
        if read(line, into: &about) { isTold = true }
        continue
      }
      var one = isTold ? about : Wanted()
      one.path = Array(line)
      if isName(one.title, of: line) { one.title = "" }
      wanted.append(one)
      isTold = false
    }
    return wanted
  }

  /// Which list its player had read. MPD keeps none in memory, writes no comments, and leaves paths
  /// as they are in a list that it changes; those of its queue begin in its music folder. Programs
  /// that keep lists write paths from the root, or comments of theirs.
  ///
  /// - Parameter goesUp: whether paths in lists of ours lead out of their folder.
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
      // A player that adds lines puts them behind what is there.
      let isAdded = before?.first != comment && isInside(last)
      return isAdded && bytes.starts(with: PlaylistText.head(of: file)) ? .anew : .held
    }
    guard hasInside else { return .held }
    return !goesUp || goesUpItself ? .anew : .loaded
  }

  /// Whether a line is a path from some folder.
  private static func isInside(_ line: ArraySlice<UInt8>) -> Bool {
    if line.first == slash || line.first == comment { return false }
    // An address, or a path of Windows.
    let first = line.prefix { $0 != slash && $0 != UInt8(ascii: "\\") }
    return first.last != UInt8(ascii: ":")
  }

  private static func lines(in bytes: [UInt8]) -> Lines? {
    var rest = bytes[...]
    // A byte order mark.
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    let start = rest.drop { $0 <= 0x20 }
    if start.starts(with: "[playlist]".utf8) || start.starts(with: "<?xml".utf8) { return nil }
    return Lines(rest: rest)
  }

  /// The lines that are not blank, one at a time: a file may be nothing but ends of lines.
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

  /// - Returns: whether it tells of the next song.
  private static func read(_ line: ArraySlice<UInt8>, into about: inout Wanted) -> Bool {
    func rest(_ word: String) -> String? {
      guard line.starts(with: word.utf8) else { return nil }
      // What is no text says nothing.
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
      // Artist and title as the player shows them: which is which nobody knows, and nobody asks.
      about.title = parts.count == 2 ? String(parts[1]) : ""
      return true
    }
    return false
  }

  /// Some players write the file's name in the place of a title.
  private static func isName(_ title: String, of line: ArraySlice<UInt8>) -> Bool {
    let name = line.split { $0 == slash || $0 == UInt8(ascii: "\\") }.last ?? []
    let stem = name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name
    return name.elementsEqual(title.utf8) || stem.elementsEqual(title.utf8)
  }
}
