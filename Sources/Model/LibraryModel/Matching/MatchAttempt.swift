/// The state of matching one entry of a list.
struct MatchAttempt {
  let wanted: Wanted
  let names: WantedNames
  let path: WantedPath
  private var noted: [String] = []

  init(_ wanted: Wanted, path: WantedPath) {
    self.wanted = wanted
    names = WantedNames(wanted)
    self.path = path
  }

  /// Records an obstacle, once.
  mutating func note(_ words: String) {
    if !noted.contains(words), noted.count < 3 { noted.append(words) }
  }

  var tried: String {
    if !noted.isEmpty { return noted.joined(separator: "; ") }
    if path.isRemote { return "it is an address, no file" }
    var without: [String] = []
    if !wanted.path.isEmpty { without.append("this path, or one that ends so") }
    if !wanted.recording.isEmpty { without.append("this recording") }
    if !wanted.title.isEmpty, !(wanted.artist + wanted.albumArtist).isEmpty {
      without.append(
        wanted.album.isEmpty ? "this artist and title" : "this artist, album and title")
    }
    if without.isEmpty { return "the list says too little of it" }
    return "no song has " + without.joined(separator: ", and none ")
  }
}
