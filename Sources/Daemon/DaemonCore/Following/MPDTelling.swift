import LibraryModel
import Platform
import Playlists
import Synchronization

/// Has MPD tell its clients of playlists that changed, beside everything else: an MPD that hangs
/// costs nothing but that.
final class MPDTelling: Sendable {
  /// After an MPD that did not answer, nobody is asked for so long.
  static let rest: Int64 = 60_000_000_000
  /// Who takes longer, and is not told, hangs.
  static let hang: Int64 = 500_000_000

  private struct State {
    var isBusy = false
    /// What came while it was busy.
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
          // Nobody there is found out at once, and costs nothing to be tried again.
          let hasHung = !isTold && clock.monotonic() - start > Self.hang
          if hasHung { state.notBefore = clock.monotonic() + Self.rest }
          defer { state.waiting = nil }
          state.isBusy = state.waiting != nil && !hasHung
          return hasHung ? nil : state.waiting
        }
      }
    }
  }

  /// Returns when nobody is being asked; for tests.
  func waitUntilIdle() { state.wait { $0.isBusy ? nil : () } }
}
