/// The songs of a list, grouped by album.
struct ListedAlbums {
  let list: ImportedList
  /// The number of entries of the list that were found.
  private(set) var foundCount = 0
  private(set) var missing: [ImportPlan.MissingSong] = []
  /// The number of different songs of each album in the list.
  private(set) var counts: [String: Int] = [:]
  /// The songs of each album's largest block; of equally large ones, the first.
  private(set) var blocks: [String: [String]] = [:]
  /// The albums in the order in which these blocks begin.
  private(set) var order: [String] = []

  init(_ list: ImportedList, _ found: [FoundSong], _ albums: [String: KnownAlbum]) {
    precondition(found.count == list.songs.count, "there is an answer for each song")
    self.list = list
    var seen: Set<String> = []
    var starts: [String: Int] = [:]
    var block: [String] = []
    var current: (album: String, start: Int)?
    func end() -> (String, Int)? {
      guard let current, block.count > blocks[current.album]?.count ?? 0 else { return nil }
      return (current.album, current.start)
    }
    for (place, (wanted, answer)) in zip(list.songs, found).enumerated() {
      switch answer {
      case .missing(let tried):
        // The song may exist: its path may have been read in the wrong encoding.
        let isGuess = !list.isDecoded && !wanted.path.utf8.allSatisfy { $0 < 0x80 }
        let tried = isGuess ? "the list is not in UTF-8, and its encoding is not known" : tried
        missing.append(ImportPlan.MissingSong(song: wanted, tried: tried))
      case .found(let song, let album):
        foundCount += 1
        // If a song is listed twice, its first position counts.
        guard albums[album] != nil, seen.insert(song).inserted else { continue }
        counts[album, default: 0] += 1
        if current?.album != album {
          if let (ended, start) = end() { (blocks[ended], starts[ended]) = (block, start) }
          current = (album, place)
          block = []
        }
        block.append(song)
      }
    }
    if let (ended, start) = end() { (blocks[ended], starts[ended]) = (block, start) }
    order = starts.sorted { $0.value < $1.value }.map(\.key)
  }
}
