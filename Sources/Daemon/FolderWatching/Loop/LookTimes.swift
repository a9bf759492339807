import Synchronization

/// The times of looks at music folders, which tell earlier ones from later ones: no two are the
/// same, and none is before another that was given out earlier, whatever the clock does.
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
