import Platform
import Synchronization

/// A wall clock that never shows a time before the newest one in the journal, as a machine without
/// a battery would: from there on it counts the time that passes, until the real clock is right.
final class TimeFloor: Sendable {
  /// Milliseconds since 1970; a later time in a journal is no time (2255, and room for more).
  private static let latest: Int64 = 9_000_000_000_000

  private struct State {
    /// Nanoseconds since 1970.
    var wall = Int64.min
    /// When it was set (monotonic).
    var since: Int64 = 0
  }

  private let clock: Clock
  private let state = Mutex(State())

  init(_ clock: Clock) { self.clock = clock }

  /// The clock that shows it.
  var lifted: Clock {
    Clock(monotonic: clock.monotonic, wall: { [self] in wall() })
  }

  private func wall() -> Int64 {
    let (wall, monotonic) = (clock.wall(), clock.monotonic())
    return state.withLock { state in
      wall >= state.wall ? wall : state.wall + max(0, monotonic - state.since)
    }
  }

  /// - Parameter time: of a durable change, in milliseconds since 1970.
  func raise(to time: Int64) {
    let wall = min(time, Self.latest) * 1_000_000
    let monotonic = clock.monotonic()
    state.withLock { state in
      if wall > state.wall { state = State(wall: wall, since: monotonic) }
    }
  }
}
