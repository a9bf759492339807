import Platform

/// The timers of the browser, in nanoseconds of the monotonic clock.
struct BrowserTimes {
  /// When the pause without keys is long enough; nil if that was reported.
  private var restAt: Int64?
  /// When an unfinished key or paste has been silent for long enough.
  private var silenceAt: Int64?

  /// The pause without keys before covers are loaded.
  private static let rest: Int64 = 60_000_000

  /// Whether the pause without keys was reported.
  var isResting: Bool { restAt == nil }

  /// Returns the timeout of poll(2) in milliseconds: the time to the first of these timers, or -1
  /// if none is set.
  func patience(at now: Int64, until other: Int64?) -> Int32 {
    let next = [restAt, silenceAt, other].compactMap(\.self).min()
    return next.map { Clock.milliseconds(from: now, until: $0) } ?? -1
  }

  mutating func notePress(at now: Int64) { restAt = now + Self.rest }

  /// Restarts the pause, since new data may show other covers.
  mutating func noteNews(at now: Int64) { if isResting { notePress(at: now) } }

  /// - Parameter milliseconds: How long an unfinished key may be silent; nil if the key is
  ///   complete.
  mutating func expectMore(within milliseconds: Int?, at now: Int64) {
    silenceAt = milliseconds.map { now + Int64($0) * 1_000_000 }
  }

  /// Whether an unfinished key was silent for long enough. True once.
  mutating func isSilent(at now: Int64) -> Bool { Self.hasCome(&silenceAt, now) }

  /// Whether the pause without keys was long enough. True once.
  mutating func hasRested(at now: Int64) -> Bool { Self.hasCome(&restAt, now) }

  private static func hasCome(_ time: inout Int64?, _ now: Int64) -> Bool {
    guard let awaited = time, awaited <= now else { return false }
    time = nil
    return true
  }
}
