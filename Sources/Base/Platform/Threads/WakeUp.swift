import CLinuxShims
import Glibc

/// Ends the poll(2) of another thread: an eventfd(2). Any number of calls before it is read count
/// as one.
package final class WakeUp: Sendable {
  package let descriptor: Int32

  package init() throws(SystemCallError) {
    descriptor = crated_eventfd()
    guard descriptor >= 0 else { throw SystemCallError("eventfd", "") }
  }

  deinit { close(descriptor) }

  package func wake() {
    var one: UInt64 = 1
    // Full means that a wake-up is waiting already.
    _ = write(descriptor, &one, 8)
  }

  /// Takes what has been said so far.
  package func clear() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
  }
}
