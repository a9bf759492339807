/// All that the library held of a song whose place was dropped, so that it can be put back; but for
/// its slots in other albums, each of which is a change of its own.
package struct KeptSong: Hashable, Sendable {
  package var album: AlbumID
  package var after: SongID?
  package var group: GroupKey
  package var path: BytePath
  package var digest: AudioDigest?
  package var added: Int64
  package var seen: Int64
  /// False for an offline song.
  package var isGone: Bool
  package var isTouched: Bool
  package var traits: Traits

  /// - Parameter seen: the added time, where it is left out.
  package init(
    album: AlbumID, after: SongID?, group: GroupKey, path: BytePath, digest: AudioDigest?,
    added: Int64, seen: Int64? = nil, isGone: Bool, isTouched: Bool = false, traits: Traits
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

/// All that the library held of an album without songs of its own that was dropped; but for its
/// slots and other ids, each of which is a change of its own.
package struct KeptAlbum: Hashable, Sendable {
  package var crate: String
  package var after: AlbumID?
  package var group: GroupKey
  /// The look in which it began; 0 where that is not known.
  package var seen: Int64
  package var isArranged: Bool
  package var isTouched: Bool

  package init(
    crate: String, after: AlbumID?, group: GroupKey, seen: Int64 = 0, isArranged: Bool = false,
    isTouched: Bool = false
  ) {
    self.crate = crate
    self.after = after
    self.group = group
    self.seen = seen
    self.isArranged = isArranged
    self.isTouched = isTouched
  }
}

extension Library {
  func kept(_ song: Song) -> KeptSong {
    KeptSong(
      album: song.album,
      after: albums[song.album].flatMap { predecessor(of: song.id, in: $0.entries) },
      group: song.group, path: song.path, digest: song.digest, added: song.added, seen: song.seen,
      isGone: song.isGone, isTouched: isTouched(song), traits: song.lasting)
  }

  func kept(_ album: Album, in crate: Crate) -> KeptAlbum {
    KeptAlbum(
      crate: crate.name, after: predecessor(of: album.id, in: crate.albums), group: album.group,
      seen: album.seen, isArranged: album.isArranged, isTouched: isTouched(album.id))
  }
}
