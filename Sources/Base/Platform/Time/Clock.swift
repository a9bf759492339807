import Glibc

/// The two clocks, in nanoseconds. Tests use clocks of their own.
package struct Clock: Sendable {
  /// The monotonic clock, which never jumps; for waiting.
  package var monotonic: @Sendable () -> Int64
  /// The time since 1970; for display.
  package var wall: @Sendable () -> Int64

  package init(monotonic: @escaping @Sendable () -> Int64, wall: @escaping @Sendable () -> Int64) {
    self.monotonic = monotonic
    self.wall = wall
  }

  package static let system = Clock(
    monotonic: { nanoseconds(CLOCK_MONOTONIC) }, wall: { nanoseconds(CLOCK_REALTIME) })

  /// Returns the timeout for poll(2) until a time of the monotonic clock, in milliseconds. It is
  /// rounded up, so that no wait ends early; 0 if the time has passed.
  package static func milliseconds(from now: Int64, until end: Int64) -> Int32 {
    end <= now ? 0 : Int32(clamping: (end - now - 1) / 1_000_000 + 1)
  }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
