import LibraryModel
import Platform
import Synchronization

/// The image files beside songs, found by scans of their directories. They are the covers of albums
/// that have none in their songs. Not stored: known again after each start once the folders are
/// scanned.
final class FolderCovers: Sendable {
  /// By directory, in the form of `BytePath.beside`.
  private let covers = Mutex<[BytePath: CoverDigest]>([:])

  func note(_ cover: CoverDigest?, in folder: BytePath) {
    covers.withLock { $0[BytePath(folder.bytes + Array("/".utf8))] = cover }
  }

  /// Returns the digest of the picture in the album's songs, else of the image beside them; nil if
  /// there is none.
  func cover(of album: Album, in library: Library) -> CoverDigest? {
    if let embedded = library.summary(of: album).cover { return embedded }
    // Many libraries have no image files.
    if covers.withLock(\.isEmpty) { return nil }
    let folders = Self.folders(of: album, in: library)
    return covers.withLock { covers in folders.first { covers[$0] != nil }.flatMap { covers[$0] } }
  }

  /// Returns the directories where the album's image may be, the best first, in the form of
  /// `BytePath.beside`. With several discs it lies beside their folders or in one of them.
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
