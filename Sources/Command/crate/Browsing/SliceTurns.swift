/// Schedules the slices of covers: at once when the terminal has processed the one before, or by
/// the clock if it doesn't reply.
struct SliceTurns {
  private var pace = SlicePace()
  /// When the next slice may be sent without a reply, in nanoseconds; nil if nothing is scheduled.
  private(set) var nextAt: Int64?

  /// The pause between slices of one string, in which no query can be sent, in nanoseconds: a line
  /// of 64 KB/s transmits the smallest slice in this time.
  private static let stringPace: Int64 = 16_000_000
  /// The bytes of a cell of half blocks: the colours of two pixels, and the character.
  private static let bytesOfCell = 40

  enum Turn: Equatable {
    case nothing
    /// Measure the latency of the terminal.
    case ask
    /// Send bytes of pictures, or cells of half blocks.
    case send(bytes: Int, cells: Int)
  }

  /// More urgent output is sent.
  mutating func interrupt() { pace.begin() }

  /// The screen was painted. Schedules the covers, for which there is no other event.
  mutating func follow() { if nextAt == nil { nextAt = 0 } }

  mutating func answer(at now: Int64) {
    pace.answer(at: now)
    nextAt = pace.waitsUntil ?? 0
  }

  /// - Parameters:
  ///   - isWithinString: Whether a string is partly sent, in which no query is possible.
  ///   - hasMore: Whether there is anything to send.
  mutating func turn(at now: Int64, isWithinString: Bool, hasMore: Bool) -> Turn {
    if let nextAt, nextAt > now { return .nothing }
    if !isWithinString {
      if pace.waitsUntil != nil { pace.giveUp() }
      if pace.wantsLatency, hasMore {
        pace.ask(behindBytes: false, at: now)
        nextAt = pace.waitsUntil
        return .ask
      }
    }
    nextAt = nil
    return .send(bytes: pace.most, cells: pace.most / Self.bytesOfCell)
  }

  /// Records that bytes are sent.
  ///
  /// - Returns: Whether to send a query behind them.
  mutating func send(at now: Int64, isWithinString: Bool) -> Bool {
    if isWithinString {
      nextAt = now + Self.stringPace
      return false
    }
    pace.ask(behindBytes: true, at: now)
    nextAt = pace.waitsUntil
    return true
  }
}
