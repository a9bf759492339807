import CLinuxShims
import Glibc

/// A timer that wakes another thread from poll(2). Setting it costs a fraction of a microsecond,
/// and no thread wakes unless it expires.
package final class KernelTimer: Sendable {
  private let timer: Int32

  package init() throws(SystemCallError) {
    timer = crated_timer()
    guard timer >= 0 else { throw SystemCallError("timerfd_create", "") }
  }

  deinit { close(timer) }

  /// Readable when the timer has expired.
  package var descriptor: Int32 { timer }

  /// Sets the timer.
  ///
  /// - Parameter time: nanoseconds from now, greater than 0.
  package func set(after time: Int64) {
    _ = crated_timer_set(timer, max(1, time))
  }

  package func unset() {
    _ = crated_timer_set(timer, 0)
  }

  /// Whether the timer has expired since it was last set.
  package func hasRunOut() -> Bool {
    var count: UInt64 = 0
    return read(timer, &count, 8) == 8
  }
}
