/// A list of id numbers for lookups by prefix. Sorted, except for the most recent ones.
struct NumberList: Sendable {
  private var sorted: [UInt64]
  private var recent: [UInt64] = []

  /// The most recent numbers that are searched linearly.
  private static let recentMost = 1024

  init(_ numbers: [UInt64]) {
    sorted = numbers.sorted()
  }

  /// Adds a number, which may be in the list already.
  mutating func add(_ number: UInt64) {
    recent.append(number)
    if recent.count > Self.recentMost { self = NumberList(Array(Set(sorted + recent))) }
  }

  /// Returns the numbers in the range, possibly with repetitions.
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
