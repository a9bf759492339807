/// Everything that the library stores of a song, so that a forgotten song can be put back. Its
/// slots in other albums are separate changes.
package struct SongRecord: Hashable, Sendable {
  package var album: AlbumID
  package var after: SongID?
  /// Nil: the album's group.
  package var group: GroupKey?
  package var path: BytePath
  package var digest: AudioDigest?
  /// Milliseconds since 1970; see `Song`.
  package var added: Int64
  package var seen: Int64
  /// False for an offline song.
  package var isGone: Bool
  package var isTouched: Bool
  /// Empty while the song's file is known.
  package var traits: Traits

  /// - Parameter seen: defaults to `added`.
  package init(
    album: AlbumID, after: SongID?, group: GroupKey? = nil, path: BytePath, digest: AudioDigest?,
    added: Int64, seen: Int64? = nil, isGone: Bool = false, isTouched: Bool = false,
    traits: Traits = Traits()
  ) {
    self.album = album
    self.after = after
    self.group = group
    self.path = path
    self.digest = digest
    self.added = added
    self.seen = seen ?? added
    self.isGone = isGone
    self.isTouched = isTouched
    self.traits = traits
  }
}

/// Everything that the library stores of an album without songs of its own. Its slots and other ids
/// are separate changes.
package struct AlbumRecord: Hashable, Sendable {
  package var crate: String
  package var after: AlbumID?
  package var group: GroupKey
  /// The number of the scan that added it (milliseconds since 1970). 0 if unknown.
  package var seen: Int64
  /// Whether it was added by a first scan that has not ended.
  package var isFresh: Bool
  package var isArranged: Bool
  package var isTouched: Bool

  package init(
    crate: String, after: AlbumID?, group: GroupKey, seen: Int64 = 0, isFresh: Bool = false,
    isArranged: Bool = false, isTouched: Bool = false
  ) {
    self.crate = crate
    self.after = after
    self.group = group
    self.seen = seen
    self.isFresh = isFresh
    self.isArranged = isArranged
    self.isTouched = isTouched
  }
}

extension Library {
  func record(of song: Song) -> SongRecord {
    SongRecord(
      album: song.album,
      after: albums[song.album].flatMap { predecessor(of: song.id, in: $0.entries) },
      group: song.group, path: song.path, digest: song.digest, added: song.added, seen: song.seen,
      isGone: song.isGone, isTouched: isTouched(song), traits: song.lasting)
  }

  func record(of album: Album, in crate: Crate) -> AlbumRecord {
    AlbumRecord(
      crate: crate.name, after: predecessor(of: album.id, in: crate.albums), group: album.group,
      seen: album.seen, isFresh: album.isFresh, isArranged: album.isArranged,
      isTouched: isTouched(album.id))
  }
}
