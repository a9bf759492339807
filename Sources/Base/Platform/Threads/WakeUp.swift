import CLinuxShims
import Glibc

/// Wakes another thread from poll(2), by an eventfd(2). Any number of calls before it is cleared
/// count as one.
package final class WakeUp: Sendable {
  package let descriptor: Int32

  package init() throws(SystemCallError) {
    descriptor = crated_eventfd()
    guard descriptor >= 0 else { throw SystemCallError("eventfd", "") }
  }

  deinit { close(descriptor) }

  package func wake() {
    var one: UInt64 = 1
    // If it is full, a wake-up is pending already.
    _ = write(descriptor, &one, 8)
  }

  /// Clears the pending wake-up.
  package func clear() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
  }
}
