extension WantedSong {
  /// Takes over what a player shows of a song: `artist - title`, or the title alone. iTunes writes
  /// `title - artist`, which nothing tells apart: who compares looks at both.
  mutating func take(shown text: ArraySlice<UInt8>) {
    let shown = words(text)
    // The file's name in its place says nothing more than the path.
    let name = path.split { $0 == "/" || $0 == "\\" }.last ?? ""
    let stem = name.lastIndex(of: ".").map { name[..<$0] }
    if shown == name || stem.map({ shown == $0 }) == true { return }
    guard let dash = shown.firstRange(of: " - ") else { return title = shown }
    artist = words(String(shown[..<dash.lowerBound]))
    title = words(String(shown[dash.upperBound...]))
  }
}
