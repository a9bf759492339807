/// How many bytes of covers a terminal is given at once: so many as it takes in a moment, lest the
/// next key's paint waits behind them. It is asked whether it has taken them, and before the first
/// ones how long an answer takes by itself: from far away that is long, and says nothing of how
/// much there is room for.
struct SlicePace {
  /// Bytes: 16 ms of a line of 64 KB/s, and what a terminal that is near takes at once.
  static let least = 1 << 10
  static let largest = 32 << 10
  /// Nanoseconds within which a terminal is fast, and beyond which it is slow.
  private static let fast: Int64 = 4_000_000
  private static let slow: Int64 = 16_000_000
  /// For an answer, in nanoseconds: of a terminal that never answers it is the pace.
  private static let patience: Int64 = 50_000_000
  /// Of one that has answered.
  private static let longPatience: Int64 = 1_000_000_000
  /// The first answer may have waited behind text, the second hasn't.
  private static let timesAsked = 2

  private(set) var most = least
  /// When it was asked, and whether behind bytes; nil: it has answered.
  private var asked: (at: Int64, isBehindBytes: Bool)?
  /// How long an answer takes by itself, in nanoseconds.
  private var latency: Int64 = 0
  /// How often that is still to be asked.
  private var asksLeft = timesAsked
  private var hasAnswered = false
  /// Answers that were not waited for, and may still come before the next one.
  private var late = 0
  private static let lateMost = 64

  /// Whether it should be asked before any bytes are sent.
  var wantsLatency: Bool { asksLeft > 0 }
  /// Until when an answer is waited for, in nanoseconds.
  var waitsUntil: Int64? {
    asked.map { $0.at + (hasAnswered ? Self.longPatience : Self.patience) }
  }

  /// Something else was sent: how long an answer takes may have changed.
  mutating func begin() { asksLeft = Self.timesAsked }

  mutating func ask(behindBytes: Bool, at now: Int64) { asked = (now, behindBytes) }

  mutating func answer(at now: Int64) {
    if late > 0 {
      late -= 1
      // It does answer, but from far away.
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

  /// It has not answered in time: silence is no sign of a fast one.
  mutating func giveUp() {
    late = hasAnswered ? 0 : min(late + 1, Self.lateMost)
    asked = nil
    asksLeft = 0
    latency = 0
    hasAnswered = false
    most = Self.least
  }
}
