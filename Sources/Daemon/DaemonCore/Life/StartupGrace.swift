import LibraryModel
import Platform

/// The startup grace period: right after the daemon listens, the processor is left to clients that
/// wait for a list, such as the one whose call started the daemon. The daemon's own work begins
/// when the period is over, or a request needs it.
final class StartupGrace: Sendable {
  /// The usual length in nanoseconds: listing all albums of 12,000 songs takes a third of it.
  static let usual: Int64 = 100_000_000
  /// The number of songs for which that is enough. With more it grows in proportion.
  static let usualSongs = 12_000
  static let longest: Int64 = 1_000_000_000

  /// The length in nanoseconds, from when clients are answered.
  let length: Int64
  private let state: Monitor<Bool>

  init(isOver: Bool, songs: Int = 0) {
    state = Monitor(isOver)
    length = Self.length(songs: songs)
  }

  /// Is over at once if there is nothing to show. A summary of a library has no songs, but can be
  /// listed.
  convenience init(for library: Library) {
    self.init(
      isOver: !library.isOutline && library.songs.isEmpty, songs: library.songs.count)
  }

  static func length(songs: Int) -> Int64 {
    let inProportion = Int64(songs) * usual / Int64(usualSongs)
    return min(max(usual, inProportion), longest)
  }

  /// No grace period, for a daemon without a library.
  static var none: StartupGrace { StartupGrace(isOver: true) }

  var isOver: Bool { state.withLock { $0 } }

  func end() { state.withLock { $0 = true } }

  /// Waits for the end.
  func wait() { state.wait { $0 ? () : nil } }

  /// Waits for the end, and ends it at the latest at a time of `CLOCK_MONOTONIC` in nanoseconds.
  func end(at time: Int64) {
    _ = state.wait(until: time) { $0 ? () : nil }
    end()
  }
}
