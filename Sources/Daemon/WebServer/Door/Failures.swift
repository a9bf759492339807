/// Counts wrong keys and codes by the client's address.
struct Failures: Sendable {
  private let most: Int
  private let addressesMost: Int
  /// The number of failures of each address, and the start of its period by `Clock.monotonic`.
  private var counts: [String: (since: Int64, count: Int)] = [:]
  private static let period: Int64 = 1_000_000_000

  init(limits: WebLimits) {
    most = limits.failures
    addressesMost = limits.addresses
  }

  /// Counts a failure. Returns whether the address had too many.
  mutating func add(from address: String, at now: Int64) -> Bool {
    if counts[address] == nil, counts.count >= addressesMost {
      counts = counts.filter { now - $0.value.since < Self.period }
      // Under an attack from too many addresses, all further ones count as having too many.
      guard counts.count < addressesMost else { return true }
    }
    var entry = counts[address] ?? (now, 0)
    if now - entry.since >= Self.period { entry = (now, 0) }
    entry.count += 1
    counts[address] = entry
    return entry.count > most
  }
}
