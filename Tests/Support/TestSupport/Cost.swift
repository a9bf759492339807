import Glibc

/// What something costs, in a way that holds on any machine: how much longer four times as much
/// takes. Four times as long, with room for what caches do, and not the sixteen times of a square.
/// Milliseconds are for the benchmarks.
package enum Cost {
  /// What four times as much may cost, in times of what once costs.
  package static let mostOfFourTimes = 9.0

  /// Processor time of this thread, in seconds: others may use the processor, too.
  package static func time(_ body: () throws -> Void) rethrows -> Double {
    let start = now()
    try body()
    return now() - start
  }

  /// How many times as much `many` costs as `few`. The least of three counts: others disturb, and
  /// nobody helps.
  package static func ratio(
    _ few: Int, _ many: Int, _ cost: (Int) throws -> Double
  ) rethrows -> Double {
    func least(_ count: Int) throws -> Double {
      var times: [Double] = []
      for _ in 0..<3 { times.append(try cost(count)) }
      return times.min() ?? 0
    }
    return try least(many) / least(few)
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
