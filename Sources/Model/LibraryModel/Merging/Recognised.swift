/// The song of each cluster: the result of recognition, and the input of placing.
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
  /// Untouched songs that an older one replaces. Their places are dropped.
  let dropped: [SongID]
  /// Songs whose file is gone.
  let lost: [SongID]
  /// Songs without a file, of which at least one is waited for.
  let waiting: [SongID]
  /// Songs that have an accessible file.
  let songs: Set<SongID>

  init(pieces: [Piece], dropped: [SongID], lost: [SongID], waiting: [SongID]) {
    self.pieces = pieces
    self.dropped = dropped
    self.lost = lost
    self.waiting = waiting
    songs = Set(pieces.map(\.song))
  }

  /// Whether each of the songs has a file with its sound. A song without one may have the file that
  /// was converted from its own, beside its former path.
  func hasFound(_ moved: [Song]) -> Bool {
    if moved.isEmpty { return true }
    let sounds = Dictionary(pieces.map { ($0.song, $0.cluster.digest) }) { first, _ in first }
    return moved.allSatisfy { sounds[$0.id] == $0.digest }
  }
}

/// The order in which songs are matched: touched ones first, then older ones, then by their places.
struct Seniority: Comparable {
  private let isUntouched: Bool
  private let seen: Int64
  private let album: StandingPlace?
  private let entry: Int
  private let id: SongID

  init(_ song: Song, in library: Library) {
    isUntouched = !library.isTouched(song)
    seen = song.seen
    id = song.id
    album = StandingPlace(of: song.album, in: library)
    entry = library.albums[song.album]?.entries.firstIndex(of: song.id) ?? .max
  }

  static func < (left: Seniority, right: Seniority) -> Bool {
    if left.isUntouched != right.isUntouched { return right.isUntouched }
    if left.seen != right.seen { return left.seen < right.seen }
    if let one = left.album, let other = right.album, let isBefore = precedence(one, other) {
      return isBefore
    }
    return (left.entry, left.id) < (right.entry, right.id)
  }
}
