package import LibraryModel

extension Change {
  /// An album that begins.
  package static func albumAdded(
    _ id: AlbumID, crate: String, after: AlbumID?, group: GroupKey, isFresh: Bool, seen: Int64
  ) -> Change {
    let record = AlbumRecord(
      crate: crate, after: after, group: group, seen: seen, isFresh: isFresh)
    return .albumAdded(id, record)
  }

  /// A song that is new.
  package static func songAdded(
    _ id: SongID, album: AlbumID, after: SongID?, path: BytePath, digest: AudioDigest?,
    added: Int64, seen: Int64
  ) -> Change {
    let record = SongRecord(
      album: album, after: after, path: path, digest: digest, added: added, seen: seen)
    return .songAdded(id, record)
  }
}
