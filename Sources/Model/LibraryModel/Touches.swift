/// The extent to which an album counts as touched: whether all songs that were in it when the user
/// touched it are still the only ones in it.
package enum Touch: BitwiseCopyable, Sendable {
  /// Every song in the album counts as touched. This makes the cost of moving an album independent
  /// of its size.
  case all
  /// Some of its songs count as touched: those that are marked themselves.
  case some
}

/// The albums that the user has touched: those that were moved, or whose songs were moved or
/// sorted, and every song that was in such an album then. This is never undone.
extension Library {
  package func isTouched(_ id: AlbumID) -> Bool { touches[id] != nil }

  /// Whether listings show that the user moved the album or songs of it. False after that was
  /// undone.
  package func isMoved(_ id: AlbumID) -> Bool { isTouched(id) && renewed[id] == nil }

  /// Whether the song was in an album when the user touched that album.
  package func isTouched(_ song: Song) -> Bool {
    song.isTouched || touches[song.album] == .all
  }

  /// Marks the album as touched, with all the songs in it.
  package mutating func touch(_ id: AlbumID) { setTouch(.all, of: id) }

  /// Moves the mark of an album to the songs in it, before others are added that must not count as
  /// touched.
  mutating func spreadTouch(of id: AlbumID) {
    guard touches[id] == .all, let album = albums[id] else { return }
    for song in songs(of: album) where !song.isTouched { put(song.with(isTouched: true)) }
    setTouch(.some, of: id)
  }

  /// Combines the marks of two albums, before the songs of the other one are moved into this one.
  /// Each song keeps its state, and the album is touched if one of the two was.
  mutating func joinTouches(of id: AlbumID, _ other: AlbumID) {
    if touches[id] == .all, touches[other] == .all { return }
    if !isTouched(id), !isTouched(other) { return }
    spreadTouch(of: id)
    spreadTouch(of: other)
    setTouch(.some, of: id)
  }
}
