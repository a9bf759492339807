/// The number of bytes of covers to send to a terminal at once: as many as it processes in a
/// moment, so that the next key's output doesn't wait behind them. A `ready` query behind each
/// slice measures how long it takes. Before the first slice, queries without bytes measure the
/// latency, which is long for a remote terminal and says nothing about its speed.
struct SlicePace {
  /// In bytes: 16 ms on a line of 64 KB/s, and what a local terminal processes at once.
  static let least = 1 << 10
  static let largest = 32 << 10
  /// A terminal is fast below the first and slow beyond the second limit, in nanoseconds.
  private static let fast: Int64 = 4_000_000
  private static let slow: Int64 = 16_000_000
  /// The timeout of a reply, in nanoseconds. It is the pace for a terminal that never replies.
  private static let patience: Int64 = 50_000_000
  /// The timeout of a reply from a terminal that has replied before.
  private static let longPatience: Int64 = 1_000_000_000
  /// The first reply may have waited behind text, the second has not.
  private static let timesAsked = 2

  private(set) var most = least
  /// When the pending query was sent, and whether behind bytes; nil if it was answered.
  private var asked: (at: Int64, isBehindBytes: Bool)?
  /// The latency of a reply, in nanoseconds.
  private var latency: Int64 = 0
  /// The number of latency queries still to send.
  private var asksLeft = timesAsked
  private var hasAnswered = false
  /// The number of replies that timed out and may still arrive before the next one.
  private var late = 0
  private static let lateMost = 64

  /// Whether to measure the latency before sending bytes.
  var wantsLatency: Bool { asksLeft > 0 }
  /// When the pending query times out, in nanoseconds.
  var waitsUntil: Int64? {
    asked.map { $0.at + (hasAnswered ? Self.longPatience : Self.patience) }
  }

  /// Other output was sent, so the latency may have changed.
  mutating func begin() { asksLeft = Self.timesAsked }

  mutating func ask(behindBytes: Bool, at now: Int64) { asked = (now, behindBytes) }

  mutating func answer(at now: Int64) {
    if late > 0 {
      late -= 1
      // The terminal does reply, but with a high latency.
      if !hasAnswered { asksLeft = Self.timesAsked }
      hasAnswered = true
      return
    }
    guard let asked else { return }
    self.asked = nil
    hasAnswered = true
    let took = now - asked.at
    if !asked.isBehindBytes {
      latency = took
      asksLeft = took < Self.fast ? 0 : asksLeft - 1
      return
    }
    let alone = max(0, took - latency)
    if alone < Self.fast {
      most = min(2 * most, Self.largest)
    } else if alone > Self.slow {
      most = max(most / 2, Self.least)
    }
  }

  /// Handles a timeout. A silent terminal does not count as fast.
  mutating func giveUp() {
    late = hasAnswered ? 0 : min(late + 1, Self.lateMost)
    asked = nil
    asksLeft = 0
    latency = 0
    hasAnswered = false
    most = Self.least
  }
}
