/// The order of an album's songs unless the user has arranged them: disc, track, file name, id.
struct DefaultOrder {
  /// The sibling folders of the album, without their numbers. These numbers are the discs of songs
  /// without a disc tag. The number of a single folder is ignored.
  private var discs: Set<BytePath> = []

  /// - Parameter songs: the album's songs.
  init(of songs: [Song]) {
    guard let first = songs.first,
      songs.contains(where: { $0.path.beside != first.path.beside })
    else { return }
    var folders: [BytePath: Int] = [:]
    for song in songs where song.disc == nil {
      guard let disc = song.path.parent.disc else { continue }
      if let number = folders[disc.siblings], number != disc.number { discs.insert(disc.siblings) }
      folders[disc.siblings] = disc.number
    }
  }

  func isBefore(_ left: Song, _ right: Song) -> Bool {
    // Skips the folder names in the usual case of one disc.
    if left.disc != right.disc || left.path.beside != right.path.beside {
      if let byDisc = precedence(disc(of: left), disc(of: right)) { return byDisc }
    }
    if let byTrack = precedence(left.track ?? Int.max, right.track ?? Int.max) { return byTrack }
    return naturalPrecedence(left.path.name, right.path.name) ?? (left.id < right.id)
  }

  private func disc(of song: Song) -> Int {
    if song.disc == nil, !discs.isEmpty, let disc = song.path.parent.disc,
      discs.contains(disc.siblings)
    {
      return disc.number
    }
    return song.orderDisc
  }
}

extension [Song] {
  /// - Precondition: the songs are of one album.
  func inDefaultOrder() -> [Song] { sorted(by: DefaultOrder(of: self).isBefore) }
}

extension Song {
  /// The disc number, else the number of the disc directory, else 1.
  var orderDisc: Int { LibraryModel.orderDisc(disc, path) }
}

func orderDisc(_ tagged: Int?, _ path: BytePath) -> Int {
  tagged ?? discNumber(ofFolder: path.parent.name) ?? 1
}
