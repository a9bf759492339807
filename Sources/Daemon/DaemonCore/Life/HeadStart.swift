import LibraryModel
import Platform

/// The first moments of a daemon that listens: the processor is left to those who wait for a list,
/// as the one does for whose call it was started. What the daemon does for itself begins when they
/// are over, or somebody wants something that needs it.
final class HeadStart: Sendable {
  /// Nanoseconds: all albums of 12,000 songs are listed within a third of that.
  static let usual: Int64 = 100_000_000
  /// Songs for which that is enough: for more it takes longer, with each of them.
  static let usualSongs = 12_000
  static let longest: Int64 = 1_000_000_000

  /// Nanoseconds from when clients are answered.
  let length: Int64
  private let state: Monitor<Bool>

  init(isOver: Bool, songs: Int = 0) {
    state = Monitor(isOver)
    length = Self.length(songs: songs)
  }

  /// Over at once where there is nothing to show. An outline has no songs yet, and what is to be
  /// listed at hand.
  convenience init(for library: Library) {
    self.init(
      isOver: !library.isOutline && library.songs.isEmpty, songs: library.songs.count)
  }

  static func length(songs: Int) -> Int64 {
    let inProportion = Int64(songs) * usual / Int64(usualSongs)
    return min(max(usual, inProportion), longest)
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
