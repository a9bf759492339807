import Platform
import Synchronization

/// A wall clock that never shows a time before the newest one in the journal, as a machine without
/// a battery would: from there on it counts the time that passes, until the real clock is right.
final class TimeFloor: Sendable {
  /// Milliseconds since 1970; a later time in a journal is no time (2255, and room for more).
  private static let latest: Int64 = 9_000_000_000_000

  private struct Floor {
    /// Nanoseconds since 1970.
    let wall: Int64
    /// When it was set (monotonic).
    let since: Int64
  }

  private let clock: Clock
  private let floor = Mutex<Floor?>(nil)

  init(_ clock: Clock) { self.clock = clock }

  /// The clock that shows it.
  var lifted: Clock {
    Clock(monotonic: clock.monotonic, wall: { [self] in wall() })
  }

  private func wall() -> Int64 {
    let (wall, monotonic) = (clock.wall(), clock.monotonic())
    return floor.withLock { floor in
      guard let floor, wall < floor.wall else { return wall }
      return floor.wall + max(0, monotonic - floor.since)
    }
  }

  /// - Parameter time: of a durable change, in milliseconds since 1970.
  func raise(to time: Int64) {
    let wall = min(time, Self.latest) * 1_000_000
    let monotonic = clock.monotonic()
    floor.withLock { floor in
      if floor.map({ wall > $0.wall }) ?? true { floor = Floor(wall: wall, since: monotonic) }
    }
  }
}
