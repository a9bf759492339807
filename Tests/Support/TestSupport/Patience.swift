import Glibc
import Platform

/// How long tests wait for what ought to come at once: long enough for a busy machine. A slower one
/// sets CRATED_PATIENCE to how many times as long.
package enum Patience {
  package static let factor = max(
    1, getenv("CRATED_PATIENCE").flatMap { Int(String(cString: $0)) } ?? 1)
  package static let seconds = 120 * factor

  /// The time of `Clock.monotonic` at which it ends, where it begins now.
  package static var end: Int64 { Clock.system.monotonic() + Int64(seconds) * 1_000_000_000 }
}

/// Takes a moment of the processor, so that others get further, and gives nothing up: on a machine
/// that has much else to do, giving way once takes longer than all that a test is about.
///
/// - Parameter calls: of the kernel, each some tenth of a microsecond.
package func takeAMoment(calls: Int) {
  for _ in 0..<calls { _ = getppid() }
}

/// Whether the condition, of which nothing tells, becomes true before patience ends. Looks once a
/// millisecond, and leaves the processor to what is waited for.
package func happensInTime(_ isSo: () throws -> Bool) rethrows -> Bool {
  let end = Patience.end
  while try !isSo() {
    if Clock.system.monotonic() > end { return false }
    poll(nil, 0, 1)
  }
  return true
}
