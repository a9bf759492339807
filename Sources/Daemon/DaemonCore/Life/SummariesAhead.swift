import LibraryModel
import Platform

/// Computes the summaries of albums, which lists show, before the first list. A list begins with
/// the first album and this thread with the last one, so that two processors work on one answer.
/// Nothing is computed twice, since albums cache their summary.
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
