import Glibc

/// The two clocks, as nanoseconds; tests turn hands of their own.
package struct Clock: Sendable {
  /// Never jumps; for waiting.
  package var monotonic: @Sendable () -> Int64
  /// Since 1970; for what people read.
  package var wall: @Sendable () -> Int64

  package init(monotonic: @escaping @Sendable () -> Int64, wall: @escaping @Sendable () -> Int64) {
    self.monotonic = monotonic
    self.wall = wall
  }

  package static let system = Clock(
    monotonic: { nanoseconds(CLOCK_MONOTONIC) }, wall: { nanoseconds(CLOCK_REALTIME) })

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
