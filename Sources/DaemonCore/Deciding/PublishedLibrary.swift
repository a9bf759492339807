package import LibraryModel
import Synchronization

/// The library as readers see it: always a whole, durable value. Taking it never waits for the
/// disk.
package final class PublishedLibrary: Sendable {
  private struct State {
    var library: Library
    var counts: LibraryCounts?
  }

  private let state: Mutex<State>

  package init(_ library: Library) {
    state = Mutex(State(library: library))
  }

  package var library: Library { state.withLock { $0.library } }

  func publish(_ library: Library) {
    state.withLock { $0 = State(library: library) }
  }

  /// How much the library holds; counted once for each value.
  var counts: LibraryCounts {
    let (library, counts) = state.withLock { ($0.library, $0.counts) }
    if let counts { return counts }
    let counted = LibraryCounts(library)
    state.withLock { state in
      if state.library.sequence == library.sequence { state.counts = counted }
    }
    return counted
  }
}

/// Counts over what is listed.
struct LibraryCounts: Sendable {
  var crates = 0
  var albums = 0
  var songs = 0
  /// Songs that are gone and keep their places.
  var gone = 0
  var songsOfFolder: [BytePath: Int] = [:]

  init(_ library: Library) {
    var listed: Set<AlbumID> = []
    library.songs.forEach { _, song in
      if song.isGone {
        gone += 1
      } else {
        songs += 1
        listed.insert(song.album)
        if let folder = library.away.folders.first(where: { song.path.isInside($0) }) {
          songsOfFolder[folder, default: 0] += 1
        }
      }
    }
    albums = listed.count
    crates = library.crates.count { $0.albums.contains(where: listed.contains) }
  }
}
