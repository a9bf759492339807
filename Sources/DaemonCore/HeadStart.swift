import LibraryModel
import Platform

/// The first moments of a daemon that listens: the processor is left to those who wait for a list,
/// as the one does for whose call it was started. What the daemon does for itself begins when they
/// are over, or somebody wants something that needs it.
final class HeadStart: Sendable {
  /// Nanoseconds: all albums of 12,000 songs are listed within a third of that.
  static let usual: Int64 = 100_000_000

  private let state: Monitor<Bool>

  init(isOver: Bool) {
    state = Monitor(isOver)
  }

  /// Over at once where there is nothing to show. An outline has no songs yet.
  convenience init(for library: Library) {
    self.init(isOver: !library.isOutline && library.songs.isEmpty)
  }

  /// None: what has no library yet has nothing to show.
  static var none: HeadStart { HeadStart(isOver: true) }

  var isOver: Bool { state.withLock { $0 } }

  func end() { state.withLock { $0 = true } }

  /// Waits for the end.
  func wait() { state.wait { $0 ? () : nil } }

  /// Waits for the end, and makes it at a time of `CLOCK_MONOTONIC` in nanoseconds.
  func end(at time: Int64) {
    _ = state.wait(until: time) { $0 ? () : nil }
    end()
  }
}
