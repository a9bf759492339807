import Synchronization

/// The numbers of scans of music folders, which put them in order. A number is the time or, if the
/// clock is behind, one more than the last number. No two are the same.
package final class ScanTimes: Sendable {
  private let last = Atomic<Int64>(.min)

  package init() {}

  /// Returns a new number, in milliseconds since 1970.
  ///
  /// - Parameter now: nanoseconds since 1970.
  package func next(_ now: Int64) -> Int64 {
    let now = now / milliseconds
    while true {
      let last = last.load(ordering: .relaxed)
      let next = max(now, last == .min ? now : last + 1)
      let isOurs = self.last.compareExchange(
        expected: last, desired: next, ordering: .relaxed
      ).exchanged
      if isOurs { return next }
    }
  }

  /// Records a number from another run. All further numbers are greater.
  package func note(_ earlier: Int64) { last.max(earlier, ordering: .relaxed) }
}
