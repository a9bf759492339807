import CLinuxShims
import Glibc

/// A timer that ends the poll(2) of another thread; setting it costs a fraction of a microsecond,
/// and nobody wakes unless it runs out.
package final class KernelTimer: Sendable {
  private let timer: Int32

  package init() throws(SystemCallError) {
    timer = crated_timer()
    guard timer >= 0 else { throw SystemCallError("timerfd_create", "") }
  }

  deinit { close(timer) }

  /// Readable when the time has run out.
  package var descriptor: Int32 { timer }

  /// Nanoseconds from now; above 0.
  package func set(after time: Int64) {
    _ = crated_timer_set(timer, max(1, time))
  }

  package func unset() {
    _ = crated_timer_set(timer, 0)
  }

  /// Whether it has run out since it was last set.
  package func hasRunOut() -> Bool {
    var count: UInt64 = 0
    return read(timer, &count, 8) == 8
  }
}
