/// Which song each cluster is: what recognising comes to, and what placing begins with.
struct Recognised: Sendable {
  /// A cluster and its song.
  struct Piece: Sendable {
    let cluster: Cluster
    let song: SongID
    let evidence: Evidence
    let isNew: Bool
    /// Set if an existing song returned to its slot in another album: this new song takes over its
    /// file and position.
    let inPlaceOf: SongID?
  }

  /// The clusters with their songs, in byte order of their paths.
  let pieces: [Piece]
  /// Untouched songs that an older one replaces: their places are dropped.
  let dropped: [SongID]
  /// Songs whose file is gone.
  let lost: [SongID]
  /// Songs whose own file is gone, while another one of theirs is waited for.
  let waiting: [SongID]
  /// Songs that have a file which could be looked at.
  let songs: Set<SongID>

  init(pieces: [Piece], dropped: [SongID], lost: [SongID], waiting: [SongID]) {
    self.pieces = pieces
    self.dropped = dropped
    self.lost = lost
    self.waiting = waiting
    songs = Set(pieces.map(\.song))
  }
}

/// The order in which songs are asked: the touched one first, then the older, then as they stand.
struct Seniority: Comparable {
  private let isUntouched: Bool
  private let seen: Int64
  private let crate: Int
  private let album: SharedList<AlbumID>.Index
  private let entry: Int
  private let id: SongID

  init(_ song: Song, in library: Library) {
    isUntouched = !library.isTouched(song)
    seen = song.seen
    id = song.id
    let home = library.albums[song.album]
    crate = home.flatMap { home in library.crates.firstIndex { $0.id == home.crate } } ?? .max
    album =
      crate < library.crates.count
      ? library.crates[crate].albums.firstIndex(of: song.album) ?? SharedList().endIndex
      : SharedList().endIndex
    entry = home?.entries.firstIndex(of: song.id) ?? .max
  }

  static func < (left: Seniority, right: Seniority) -> Bool {
    if left.isUntouched != right.isUntouched { return right.isUntouched }
    return precedence(left.seen, right.seen) ?? precedence(left.crate, right.crate)
      ?? precedence(left.album, right.album)
      ?? ((left.entry, left.id) < (right.entry, right.id))
  }
}
