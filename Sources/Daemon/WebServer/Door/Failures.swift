/// Counts wrong keys and codes by the address from which they come.
struct Failures: Sendable {
  private let most: Int
  private let addressesMost: Int
  /// The second that an address's count began in, by `Clock.monotonic`, and the count.
  private var counts: [String: (since: Int64, count: Int)] = [:]
  private static let period: Int64 = 1_000_000_000

  init(limits: WebLimits) {
    most = limits.failures
    addressesMost = limits.addresses
  }

  /// Counts one, and returns whether that address has had too many.
  mutating func add(from address: String, at now: Int64) -> Bool {
    if counts[address] == nil, counts.count >= addressesMost {
      counts = counts.filter { now - $0.value.since < Self.period }
      // An attack from more addresses than are counted: all new ones have had too many.
      guard counts.count < addressesMost else { return true }
    }
    var entry = counts[address] ?? (now, 0)
    if now - entry.since >= Self.period { entry = (now, 0) }
    entry.count += 1
    counts[address] = entry
    return entry.count > most
  }
}
