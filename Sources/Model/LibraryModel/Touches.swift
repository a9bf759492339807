/// How far an album counts as touched: whether all that lived in it when the person touched it is
/// still all that lives in it.
package enum Touch: BitwiseCopyable, Sendable {
  /// Every song that lives in it counts as touched, so that moving a large album costs no more than
  /// moving a small one.
  case all
  /// Some of its songs count as touched: those that have a mark of their own.
  case some
}

/// What the person has touched: albums that were moved, or whose songs were moved or sorted, and
/// every song that lived in such an album then. Nothing takes it back.
extension Library {
  package func isTouched(_ id: AlbumID) -> Bool { touches[id] != nil }

  /// Whether listings say that the person moved the album, or songs of it, and that is so still.
  package func isMoved(_ id: AlbumID) -> Bool { isTouched(id) && renewed[id] == nil }

  /// Whether the song was in an album when the person touched that one.
  package func isTouched(_ song: Song) -> Bool {
    song.isTouched || touches[song.album] == .all
  }

  /// Marks the album as touched, with all the songs that live in it now.
  package mutating func touch(_ id: AlbumID) { setTouch(.all, of: id) }

  /// Moves the mark of an album to the songs that live in it, before others come that must not
  /// count as touched by that.
  mutating func spreadTouch(of id: AlbumID) {
    guard touches[id] == .all, let album = albums[id] else { return }
    for song in songs(of: album) where !song.isTouched { put(song.with(isTouched: true)) }
    setTouch(.some, of: id)
  }

  /// The songs of the other album are about to live in this one: each of them, and of its own, goes
  /// on counting as it did, and the album as touched if one of the two was.
  mutating func joinTouches(of id: AlbumID, _ other: AlbumID) {
    if touches[id] == .all, touches[other] == .all { return }
    if !isTouched(id), !isTouched(other) { return }
    spreadTouch(of: id)
    spreadTouch(of: other)
    setTouch(.some, of: id)
  }
}
