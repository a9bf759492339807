import Platform

/// When the browser goes on without being told anything, in nanoseconds of the monotonic clock.
struct BrowserTimes {
  /// When nothing was pressed for a moment; nil: that has been told.
  private var restAt: Int64?
  /// When what began as a key, or a paste, has been silent for long enough.
  private var silenceAt: Int64?

  /// Without keys, before covers are looked after.
  private static let rest: Int64 = 60_000_000

  /// Whether it has been told that nothing was pressed.
  var isResting: Bool { restAt == nil }

  /// How long poll(2) waits for the first of these, or for something else, in milliseconds: -1 is
  /// for ever.
  func patience(at now: Int64, until other: Int64?) -> Int32 {
    let next = [restAt, silenceAt, other].compactMap(\.self).min()
    return next.map { Clock.milliseconds(from: now, until: $0) } ?? -1
  }

  mutating func notePress(at now: Int64) { restAt = now + Self.rest }

  /// Covers may be wanted for what came.
  mutating func noteNews(at now: Int64) { if isResting { notePress(at: now) } }

  /// - Parameter milliseconds: how long what was typed may be silent; nil: it is whole.
  mutating func expectMore(within milliseconds: Int?, at now: Int64) {
    silenceAt = milliseconds.map { now + Int64($0) * 1_000_000 }
  }

  /// Whether what was typed has been silent for so long. True once.
  mutating func isSilent(at now: Int64) -> Bool { Self.hasCome(&silenceAt, now) }

  /// Whether nothing was pressed for a moment. True once.
  mutating func hasRested(at now: Int64) -> Bool { Self.hasCome(&restAt, now) }

  private static func hasCome(_ time: inout Int64?, _ now: Int64) -> Bool {
    guard let awaited = time, awaited <= now else { return false }
    time = nil
    return true
  }
}
