package import LibraryModel
import Platform
import Synchronization

/// The library as readers see it: always a whole, durable value. Taking it never waits for the
/// disk, but at a start, until the songs are read.
package final class PublishedLibrary: Sendable {
  private struct State {
    var library: Library
    /// How often one was published before it.
    var number = 0
    var counts: LibraryCounts?
  }

  private let state: Mutex<State>
  private struct Wholeness {
    /// Whether the songs are there, or nobody is answered any more.
    var isReached: Bool
    var waiting: [@Sendable () -> Void] = []
  }

  private let wholeness: Monitor<Wholeness>

  package init(_ library: Library) {
    state = Mutex(State(library: library))
    wholeness = Monitor(Wholeness(isReached: true))
  }

  /// Begins with what is known before the songs are read.
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

  /// What is there at this moment, without waiting. It may be without songs (`isOutline`): then it
  /// serves lists of crates and albums, and what asks for its number alone.
  var atHand: Library { state.withLock { $0.library } }

  /// The same, and which of those that were published it is: two of one sequence may differ.
  var numbered: (library: Library, number: Int) { state.withLock { ($0.library, $0.number) } }

  func publish(_ library: Library) {
    state.withLock { $0 = State(library: library, number: $0.number + 1) }
  }

  /// Publishes the library that follows on an outline.
  func complete(_ library: Library) {
    publish(library)
    reachWholeness()
  }

  /// The songs never come: who waits goes on without them. To be called when no answer is heard any
  /// more.
  func giveUp() { reachWholeness() }

  private func reachWholeness() {
    let waiting = wholeness.withLock { wholeness in
      wholeness.isReached = true
      defer { wholeness.waiting = [] }
      return wholeness.waiting
    }
    for action in waiting { action() }
  }

  /// Does it when `library` does not wait any more: at once, but at a start. For threads that must
  /// not wait. Bounded by the clients, who have one call each in work.
  func whenWhole(_ action: @escaping @Sendable () -> Void) {
    let isReached = wholeness.withLock { wholeness in
      if !wholeness.isReached { wholeness.waiting.append(action) }
      return wholeness.isReached
    }
    if isReached { action() }
  }

  /// How much the library holds; counted once for each value.
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

/// Counts over what is listed.
struct LibraryCounts: Equatable, Sendable {
  var crates = 0
  var albums = 0
  var songs = 0
  /// Songs that are gone and keep their places.
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
