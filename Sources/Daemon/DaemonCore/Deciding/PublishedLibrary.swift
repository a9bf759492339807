package import LibraryModel
import Platform
import Synchronization

/// The library as readers see it: always a complete, durable value. Reading it never waits for the
/// disk, except during a start, until the songs are read.
package final class PublishedLibrary: Sendable {
  private struct State {
    var library: Library
    /// The number of libraries that were published before it.
    var number = 0
    var counts: LibraryCounts?
  }

  private let state: Mutex<State>
  private struct Wholeness {
    /// Whether the songs are read, or nothing is answered any more.
    var isReached: Bool
    var waiting: [@Sendable () -> Void] = []
  }

  private let wholeness: Monitor<Wholeness>

  package init(_ library: Library) {
    state = Mutex(State(library: library))
    wholeness = Monitor(Wholeness(isReached: true))
  }

  /// Publishes what is known before the songs are read.
  init(_ outline: LibraryOutline) {
    let counts = LibraryCounts(outline)
    state = Mutex(State(library: Library(outline), counts: counts))
    wholeness = Monitor(Wholeness(isReached: false))
  }

  package var library: Library {
    let library = atHand
    if !library.isOutline { return library }
    wholeness.wait { $0.isReached ? () : nil }
    return atHand
  }

  /// The current value, without waiting. It may have no songs (`isOutline`), and then serves only
  /// lists of crates and albums, and requests for its number.
  var atHand: Library { state.withLock { $0.library } }

  /// The same, with its number among all published ones: two of them may have the same sequence.
  var numbered: (library: Library, number: Int) { state.withLock { ($0.library, $0.number) } }

  func publish(_ library: Library) {
    state.withLock { $0 = State(library: library, number: $0.number + 1) }
  }

  /// Publishes the complete library that follows on a summary.
  func complete(_ library: Library) {
    publish(library)
    reachWholeness()
  }

  /// Releases waiting readers without the songs. Must be called when no answer is sent any more.
  func giveUp() { reachWholeness() }

  private func reachWholeness() {
    let waiting = wholeness.withLock { wholeness in
      wholeness.isReached = true
      defer { wholeness.waiting = [] }
      return wholeness.waiting
    }
    for action in waiting { action() }
  }

  /// Calls the action once `library` does not wait any more, which is at once except during a
  /// start. For threads that must not block. Bounded by the number of clients, which have one
  /// active call each.
  func whenWhole(_ action: @escaping @Sendable () -> Void) {
    let isReached = wholeness.withLock { wholeness in
      if !wholeness.isReached { wholeness.waiting.append(action) }
      return wholeness.isReached
    }
    if isReached { action() }
  }

  /// The counts of the library, computed once for each value.
  var counts: LibraryCounts {
    let seen = state.withLock { $0 }
    if let counts = seen.counts { return counts }
    let counted = LibraryCounts(seen.library)
    state.withLock { state in
      if state.number == seen.number { state.counts = counted }
    }
    return counted
  }
}

/// Counts of the listed items.
struct LibraryCounts: Equatable, Sendable {
  var crates = 0
  var albums = 0
  var songs = 0
  /// The number of songs that are gone and keep their places.
  var gone = 0
  var songsOfFolder: [BytePath: Int] = [:]

  init(_ library: Library) {
    for crate in library.crates {
      let listed = library.listedCount(in: crate)
      albums += listed
      crates += listed > 0 ? 1 : 0
    }
    let folders = library.away.folders
    var counts = [Int](repeating: 0, count: folders.count)
    library.songs.forEach { _, song in
      if song.isGone {
        gone += 1
      } else {
        songs += 1
        if let place = library.away.placeOfFolder(of: song.path) { counts[place] += 1 }
      }
    }
    for (folder, count) in zip(folders, counts) where count > 0 { songsOfFolder[folder] = count }
  }

  init(_ outline: LibraryOutline) {
    for crate in outline.crates {
      let listed = crate.albums.count { $0.summary.songs > 0 }
      albums += listed
      crates += listed > 0 ? 1 : 0
      for album in crate.albums {
        songs += album.summary.songs
        gone += album.summary.members - album.summary.songs
      }
    }
    for folder in outline.folders where folder.songs > 0 {
      songsOfFolder[folder.path] = folder.songs
    }
  }
}
