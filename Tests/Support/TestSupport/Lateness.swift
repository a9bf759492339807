import Platform

/// How late this machine wakes who waits for a time: what a busy one adds to all that is measured
/// by the clock.
package final class Lateness: Sendable {
  private static let interval: Int64 = 1_000_000

  private let times = Monitor<(isOver: Bool, late: [Int64])>((false, []))
  private let thread: BlockingThread

  /// Begins to measure.
  package init() {
    thread = BlockingThread("lateness") { [times] in
      while true {
        let until = Clock.system.monotonic() + Self.interval
        let isOver: Bool? = times.wait(until: until) { $0.isOver ? true : nil }
        if isOver != nil { return }
        times.withLock { $0.late.append(Clock.system.monotonic() - until) }
      }
    }
  }

  /// The 99th percentile, in nanoseconds.
  package func end() -> Int64 {
    times.withLock { $0.isOver = true }
    thread.join()
    let late = times.withLock(\.late).sorted()
    return late.isEmpty ? 0 : late[late.count * 99 / 100]
  }
}
