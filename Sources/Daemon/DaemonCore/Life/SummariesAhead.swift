import LibraryModel
import Platform

/// What lists of crates and albums show of each album, worked out ahead of the first of them.
/// Whoever lists begins with the first album and this with the last one, so that two processors
/// work for one answer, and nothing twice: an album keeps what was found.
enum SummariesAhead {
  @discardableResult
  static func workOut(of library: Library) -> BlockingThread {
    BlockingThread("summaries") {
      for crate in library.crates.reversed() {
        for id in crate.albums.reversed() {
          if let album = library.albums[id] { _ = library.summary(of: album) }
        }
      }
    }
  }
}
