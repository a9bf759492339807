import Glibc
import LibraryModel
import LibraryStore
import Platform

/// A file beside the index while the daemon is not running. It has a summary of the library, which
/// is what lists of crates and albums show, and the seal of the snapshot in the store. If the store
/// still is that snapshot, the next start shows the summary before it has read the songs.
struct OutlineFile {
  let path: BytePath

  init(besideIndex index: BytePath) {
    path = index.parent.appending("outline".utf8)
  }

  /// Reads the summary of the store's library; nil if there is none, or the store has changed
  /// since.
  func read(_ store: DiskFiles, folders: [BytePath]) -> LibraryOutline? {
    guard let bytes = try? DiskFiles.read(path), let lineEnd = bytes.firstIndex(of: 0x0A),
      let outline = LibraryOutline(packed: Array(bytes[(lineEnd + 1)...])),
      outline.folders.map(\.path) == folders,
      let seal = Recovery.seal(ofClosed: store), bytes[..<lineEnd].elementsEqual(seal)
    else { return nil }
    return outline
  }

  /// Removes the file. Must be called before the library can change, which makes it outdated.
  func remove() {
    unlink(path.cString)
  }

  /// Writes the summary of the library that was left in the store. A failure is ignored: the next
  /// start takes longer.
  func leave(_ library: Library, _ store: DiskFiles) {
    let counts = LibraryCounts(library)
    guard let outline = LibraryOutline(library, songsOfFolder: counts.songsOfFolder),
      let seal = Recovery.seal(ofClosed: store)
    else { return }
    try? replaceFile(path.bytes, with: seal + [0x0A] + outline.packed, isDurable: false)
  }
}
