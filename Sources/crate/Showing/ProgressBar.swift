/// A line on standard error that is drawn again while something runs; nothing where that is no
/// terminal.
struct ProgressBar {
  private let terminal: Terminal
  private var isDrawn = false

  private static let widthMost = 30

  init(_ terminal: Terminal = .errors) {
    self.terminal = terminal
  }

  mutating func show(scanned: Int, of total: Int?) {
    guard terminal.isTerminal else { return }
    isDrawn = true
    let line = Self.text(scanned: scanned, of: total, columns: terminal.columns ?? 80)
    Output.draw("\r\(line)\u{1B}[K")
  }

  /// Wipes the line.
  mutating func end() {
    if isDrawn { Output.draw("\r\u{1B}[K") }
    isDrawn = false
  }

  static func text(scanned: Int, of total: Int?, columns: Int) -> String {
    guard let total, total > 0 else {
      return Table.cut("looking, \(Shown.count(scanned, "song")) read", to: columns - 1)
    }
    let done = min(max(scanned, 0), total)
    let label = " \(Shown.count(done)) of \(Shown.count(total, "song"))"
    let width = min(widthMost, columns - 1 - label.count)
    guard width >= 4 else { return Table.cut(label, to: columns - 1) }
    let filled = Int(Double(done) / Double(total) * Double(width))
    return String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
      + label
  }
}
