import LibraryModel
import Platform
import Playlists
import Synchronization

/// Makes MPD notify its clients of changed playlists, on a thread of its own, so that an MPD that
/// hangs delays nothing else.
final class MPDTelling: Sendable {
  /// The time for which a hung MPD is not called again, in nanoseconds.
  static let rest: Int64 = 60_000_000_000
  /// An MPD that takes longer than this and does not accept the message counts as hung, in
  /// nanoseconds.
  static let hang: Int64 = 500_000_000

  private struct State {
    var isBusy = false
    /// The request that came while it was busy.
    var waiting: (mpd: MPDSocket, directory: BytePath)?
    var notBefore = Int64.min
  }

  private let clock: Clock
  private let state = Monitor(State())

  init(_ clock: Clock) { self.clock = clock }

  func tell(_ mpd: MPDSocket, of directory: BytePath) {
    let isFree = state.withLock { state in
      if clock.monotonic() < state.notBefore { return false }
      if state.isBusy { state.waiting = (mpd, directory) }
      defer { state.isBusy = true }
      return !state.isBusy
    }
    if !isFree { return }
    _ = BlockingThread("mpd") { [self] in
      var next: (mpd: MPDSocket, directory: BytePath)? = (mpd, directory)
      while let (mpd, directory) = next {
        let start = clock.monotonic()
        let isTold = mpd.announceChange(in: directory)
        next = state.withLock { state in
          // A missing MPD is noticed at once, and costs nothing to try again.
          let hasHung = !isTold && clock.monotonic() - start > Self.hang
          if hasHung { state.notBefore = clock.monotonic() + Self.rest }
          defer { state.waiting = nil }
          state.isBusy = state.waiting != nil && !hasHung
          return hasHung ? nil : state.waiting
        }
      }
    }
  }

  /// Returns when no MPD is being called; for tests.
  func waitUntilIdle() { state.wait { $0.isBusy ? nil : () } }
}
