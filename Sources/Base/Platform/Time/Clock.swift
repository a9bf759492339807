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

  /// How many milliseconds poll(2) has to wait for a time of the monotonic clock: rounded up, so
  /// that no wait ends before it. 0 where it is over.
  package static func milliseconds(from now: Int64, until end: Int64) -> Int32 {
    end <= now ? 0 : Int32(clamping: (end - now - 1) / 1_000_000 + 1)
  }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
