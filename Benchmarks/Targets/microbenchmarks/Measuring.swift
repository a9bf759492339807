import Glibc

/// What one measurement came to.
struct Figure {
  var name: String
  var songs: Int
  /// Microseconds, the median.
  var median: Double
  /// Microseconds; more is a failure.
  var threshold: Double

  var isMet: Bool { median <= threshold }
}

/// Runs a piece of work again and again, until it has been run often enough or long enough.
///
/// - Parameter prepare: what is not counted.
/// - Returns: the median in microseconds.
func measure<Input>(
  most: Int = 200, prepare: () throws -> Input, _ work: (Input) throws -> Void
) rethrows -> Double {
  let least = 3
  let enough: Int64 = 2_000_000_000
  var times: [Int64] = []
  var spent: Int64 = 0
  while times.count < least || (times.count < most && spent < enough) {
    let input = try prepare()
    let begin = monotonic()
    try work(input)
    let took = monotonic() - begin
    times.append(took)
    spent += took
  }
  times.sort()
  return Double(times[times.count / 2]) / 1_000
}

func measure(most: Int = 200, _ work: () throws -> Void) rethrows -> Double {
  try measure(most: most, prepare: {}, { _ in try work() })
}

/// Keeps the compiler from leaving out work whose result nobody looks at.
@inline(never)
func use<Value>(_ value: Value) {
  withExtendedLifetime(value) {}
}

private func monotonic() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
