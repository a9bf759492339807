import LibraryModel
import ModelSupport

extension Library {
  /// Adds a crate with an album of one song.
  mutating func addOneSong(at path: String = "/m/1.flac") throws {
    let album = AlbumID(number: 1)
    for change in [
      Change.crateAdded("Music", after: nil),
      .albumAdded(
        album, crate: "Music", after: nil, group: GroupKey(family: "x"), isFresh: false, seen: 0),
      .songAdded(
        SongID(number: 1), album: album, after: nil, path: BytePath(path), digest: nil, added: 0,
        seen: 0),
    ] { try apply(change, by: .folder) }
  }
}
