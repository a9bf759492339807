import CLinuxShims
import Glibc

/// Detects that the machine was suspended, without a timer that would wake it.
package final class ClockJumps {
  private let timer: OpenFile
  private let timeAsleep: () -> Int64
  private var asleep: Int64

  /// - Parameter timeAsleep: returns how long the machine has been suspended since it was started,
  ///   in nanoseconds.
  package init(
    timeAsleep: @escaping () -> Int64 = ClockJumps.timeAsleep
  ) throws(SystemCallError) {
    let descriptor = crated_clock_jumps()
    guard descriptor >= 0 else { throw SystemCallError("timerfd_create", "") }
    timer = OpenFile(owning: descriptor)
    self.timeAsleep = timeAsleep
    asleep = timeAsleep()
  }

  /// Readable when the wall clock was set, by the user or at a wake-up.
  package var descriptor: Int32 { timer.descriptor }

  /// Whether the machine was suspended for more than a second since the last call.
  package func sleptSinceLastAsked() -> Bool {
    var count: UInt64 = 0
    _ = read(timer.descriptor, &count, 8)
    _ = crated_clock_jumps_again(timer.descriptor)
    let now = timeAsleep()
    defer { asleep = now }
    return now - asleep > 1_000_000_000
  }

  package static func timeAsleep() -> Int64 {
    var boot = timespec()
    var monotonic = timespec()
    clock_gettime(CLOCK_BOOTTIME, &boot)
    clock_gettime(CLOCK_MONOTONIC, &monotonic)
    return Int64(boot.tv_sec - monotonic.tv_sec) * 1_000_000_000
      + Int64(boot.tv_nsec - monotonic.tv_nsec)
  }
}

/// Ignores the signal for lease breaks. Must be called before the first lease is requested.
package func ignoreLeaseBreaks() {
  crated_ignore_lease_breaks()
}

/// Whether any program has a file open for writing.
package enum Writers: Sendable {
  case none, some, unknown

  /// Finds out by taking a read lease and giving it back.
  package init(descriptor: Int32) {
    switch crated_nobody_writes(descriptor) {
    case 1: self = .none
    case 0: self = .some
    default: self = .unknown
    }
  }
}
