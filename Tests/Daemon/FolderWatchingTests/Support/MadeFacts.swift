import LibraryModel

@testable import FolderWatching

extension FileFacts {
  /// Of a file that differs from those of other numbers.
  static func made(_ number: Int64) -> FileFacts {
    FileFacts(
      stamp: FileStamp(
        identity: FileIdentity(fileSystem: 1, inode: UInt64(number), birth: 0), size: number,
        modified: 0, changed: 0),
      tags: SongTags(), audio: AudioProperties(), digest: nil, format: "")
  }
}

extension Tree {
  /// Of a music folder of which nothing is known.
  static func made() -> Tree {
    Tree(
      WatchSettings(cookies: BytePath("/cookies")), root: BytePath("/music"),
      memory: FolderMemory(isFirstScan: true), known: [])
  }
}
