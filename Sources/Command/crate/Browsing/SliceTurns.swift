/// When the next bytes of covers are sent, and how many: at once when the terminal has taken those
/// before, and by the clock where it says nothing.
struct SliceTurns {
  private var pace = SlicePace()
  /// When the next may be sent even if the terminal says nothing, in nanoseconds; nil: when
  /// something happens.
  private(set) var nextAt: Int64?

  /// Between the slices of one string, about which no terminal can be asked, in nanoseconds: in so
  /// long a line of 64 KB/s takes the least slice.
  private static let stringPace: Int64 = 16_000_000
  /// Bytes of a cell of half blocks: the colours of two pixels, and the character.
  private static let bytesOfCell = 40

  enum Turn: Equatable {
    case nothing
    /// The terminal is asked how long its answers take.
    case ask
    /// Bytes of pictures, or cells of half blocks.
    case send(bytes: Int, cells: Int)
  }

  /// Something more urgent is sent.
  mutating func interrupt() { pace.begin() }

  /// The screen was painted: a cover comes after it, and nothing else may wake us.
  mutating func follow() { if nextAt == nil { nextAt = 0 } }

  mutating func answer(at now: Int64) {
    pace.answer(at: now)
    nextAt = pace.waitsUntil ?? 0
  }

  /// - Parameters:
  ///   - isWithinString: whether what is being sent is one string that no question may end.
  ///   - hasMore: whether there is anything to be sent.
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

  /// Bytes are sent.
  ///
  /// - Returns: whether the terminal is asked behind them.
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
