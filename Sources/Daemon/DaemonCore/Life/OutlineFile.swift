import Glibc
import LibraryModel
import LibraryStore
import Platform

/// Beside the index while nobody runs: what lists of crates and albums showed when the daemon
/// stopped, and the seal of the snapshot that it left. Where the store still is that snapshot, the
/// next start shows them before it has read the songs.
struct OutlineFile {
  let path: BytePath

  init(besideIndex index: BytePath) {
    path = index.parent.appending("outline".utf8)
  }

  /// The outline of what the store holds; nil where it is of something else, or there is none.
  func read(_ store: DiskFiles, folders: [BytePath]) -> LibraryOutline? {
    guard let bytes = try? DiskFiles.read(path), let lineEnd = bytes.firstIndex(of: 0x0A),
      let outline = LibraryOutline(packed: Array(bytes[(lineEnd + 1)...])),
      outline.folders.map(\.path) == folders,
      let seal = Recovery.seal(ofClosed: store), bytes[..<lineEnd].elementsEqual(seal)
    else { return nil }
    return outline
  }

  /// To be called while the library can change: from then on it tells of the past.
  func remove() {
    unlink(path.cString)
  }

  /// Keeps the outline of a library that the store was left with. Where that fails, the next start
  /// takes longer.
  func leave(_ library: Library, _ store: DiskFiles) {
    let counts = LibraryCounts(library)
    guard let outline = LibraryOutline(library, songsOfFolder: counts.songsOfFolder),
      let seal = Recovery.seal(ofClosed: store)
    else { return }
    try? replaceFile(path.bytes, with: seal + [0x0A] + outline.packed, isDurable: false)
  }
}
