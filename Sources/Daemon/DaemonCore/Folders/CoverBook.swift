import LibraryModel
import Platform
import Synchronization

/// The image files beside songs, as looks at their directories found them: which covers the albums
/// have that have none in their songs. Known again after each start, when the music folders were
/// looked at.
final class CoverBook: Sendable {
  /// By directory, as `BytePath.beside` has it.
  private let covers = Mutex<[BytePath: CoverDigest]>([:])

  func note(_ cover: CoverDigest?, in folder: BytePath) {
    covers.withLock { $0[BytePath(folder.bytes + Array("/".utf8))] = cover }
  }

  /// The digest of the picture in the album's songs, else of the one beside them; nil where there
  /// is none.
  func cover(of album: Album, in library: Library) -> CoverDigest? {
    if let embedded = library.summary(of: album).cover { return embedded }
    // Many libraries have none at all.
    if covers.withLock(\.isEmpty) { return nil }
    let folders = Self.folders(of: album, in: library)
    return covers.withLock { covers in folders.first { covers[$0] != nil }.flatMap { covers[$0] } }
  }

  /// Where an album's image may be, the best first, as `BytePath.beside` has them: with several
  /// discs beside their folders, or in one of them.
  private static func folders(of album: Album, in library: Library) -> [BytePath] {
    var folders: [BytePath] = []
    var last: BytePath?
    for song in library.songs(of: album) where !song.isGone {
      let own = song.path.beside
      if own == last { continue }
      last = own
      if let root = library.away.folder(of: song.path) {
        let directory = AlbumFolder.directory(of: song.path, root: root)
        folders.append(BytePath(directory.bytes + Array("/".utf8)))
      }
      folders.append(own)
    }
    return folders
  }
}
