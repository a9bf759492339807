import Synchronization

/// The numbers of scans of music folders, which tell earlier ones from later ones: the time, and
/// where the clock is behind a number that was given out before, the next one. No two are the same.
package final class LookTimes: Sendable {
  private let last = Atomic<Int64>(.min)

  package init() {}

  /// Milliseconds since 1970.
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

  /// One that was given out before, in another run; all others are later.
  package func note(_ earlier: Int64) { last.max(earlier, ordering: .relaxed) }
}
