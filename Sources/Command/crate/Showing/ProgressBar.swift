import Platform

/// A line on standard error that is redrawn while something runs. Does nothing if standard error is
/// not a terminal.
struct ProgressBar {
  private let terminal: Terminal
  private let clock: Clock
  private var drawnCount = 0
  /// The monotonic time of the first drawing, and the number of songs done then.
  private var start: (time: Int64, scanned: Int)?

  private static let widthMost = 30
  private static let signs: [Character] = ["|", "/", "-", "\\"]

  init(_ terminal: Terminal = .errors, clock: Clock = .system) {
    self.terminal = terminal
    self.clock = clock
  }

  mutating func show(scanned: Int, of total: Int?) {
    if terminal.isTerminal { Output.draw(next(scanned: scanned, of: total)) }
  }

  /// Returns the text that draws the bar over the former one.
  mutating func next(scanned: Int, of total: Int?) -> String {
    drawnCount += 1
    let now = clock.monotonic()
    let start = start ?? (now, scanned)
    self.start = start
    let line = Self.text(
      scanned: scanned, of: total,
      pace: Pace(done: scanned - start.scanned, nanoseconds: now - start.time),
      columns: (terminal.columns ?? 80) - 2)
    // Shows activity even while one large file is read.
    let sign = Self.signs[drawnCount % Self.signs.count]
    return "\r\(line) \(sign)\u{1B}[K"
  }

  /// Erases the line.
  mutating func end() { Output.draw(wiping()) }

  /// Returns the text that erases the line; empty if nothing was drawn.
  mutating func wiping() -> String {
    defer { drawnCount = 0 }
    return drawnCount > 0 ? "\r\u{1B}[K" : ""
  }

  static func text(scanned: Int, of total: Int?, pace: Pace?, columns: Int) -> String {
    guard let total, total > 0 else {
      return Table.cut("looking, \(Shown.count(scanned, "song")) read", to: columns - 1)
    }
    let done = min(max(scanned, 0), total)
    let counts = " \(Shown.count(done)) of \(Shown.count(total, "song"))"
    let label = counts + (pace?.text(left: total - done) ?? "")
    let width = min(widthMost, columns - 1 - label.count)
    guard width >= 4 else { return Table.cut(counts, to: columns - 1) }
    let filled = Int(Double(done) / Double(total) * Double(width))
    return String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
      + label
  }
}

/// The average speed since the beginning.
struct Pace {
  private let perSecond: Double

  /// Returns nil while there is too little data.
  init?(done: Int, nanoseconds: Int64) {
    guard done > 0, nanoseconds >= 500_000_000 else { return nil }
    perSecond = Double(done) * 1e9 / Double(nanoseconds)
  }

  /// For example `, 5,100/s, 2 min left`.
  func text(left: Int) -> String {
    let rate = perSecond >= 1 ? ", \(Shown.count(Int(perSecond)))/s" : ""
    let seconds = (Double(left) / perSecond).rounded(.up)
    switch seconds {
    case ..<60: return rate + ", \(Int(seconds)) s left"
    case ..<5_940: return rate + ", \(Int((seconds / 60).rounded(.up))) min left"
    default: return rate + ", \(Int(min(seconds / 3600, 9_999).rounded(.up))) h left"
    }
  }
}
