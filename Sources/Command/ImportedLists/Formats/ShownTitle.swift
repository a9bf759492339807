extension WantedSong {
  /// Sets artist and title from what a player shows: `artist - title`, or the title alone. iTunes
  /// writes `title - artist`, which looks the same; the lookup tries both.
  mutating func setTitle(shown text: ArraySlice<UInt8>) {
    let shown = words(text)
    // Some players show the file's name instead.
    let name = path.split { $0 == "/" || $0 == "\\" }.last ?? ""
    let stem = name.lastIndex(of: ".").map { name[..<$0] }
    if shown == name || stem.map({ shown == $0 }) == true { return }
    guard let dash = shown.firstRange(of: " - ") else { return title = shown }
    artist = words(String(shown[..<dash.lowerBound]))
    title = words(String(shown[dash.upperBound...]))
  }
}
