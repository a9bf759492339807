/// Numbers of ids, among which the beginnings of ids are looked up: sorted, but for the last that
/// came.
struct NumberList: Sendable {
  private var sorted: [UInt64]
  private var recent: [UInt64] = []

  /// Recent numbers that are looked at one by one at most.
  private static let recentMost = 1024

  init(_ numbers: [UInt64]) {
    sorted = numbers.sorted()
  }

  /// May be in it already.
  mutating func add(_ number: UInt64) {
    recent.append(number)
    if recent.count > Self.recentMost { self = NumberList(Array(Set(sorted + recent))) }
  }

  /// Numbers in the range; some may be there twice.
  func numbers(in range: ClosedRange<UInt64>) -> [UInt64] {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    let found = sorted[low...].prefix { $0 <= range.upperBound }
    return found + recent.filter(range.contains)
  }
}
