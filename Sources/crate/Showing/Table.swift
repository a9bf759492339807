/// Rows of text in columns that fit the terminal.
struct Table {
  struct Column {
    var heading: String
    var isNumber = false
    /// Whether it may be cut to make room; the widest such column is cut first.
    var canShrink = false
  }

  struct Row {
    var cells: [String]
    var isDim = false
  }

  private let columns: [Column]
  private(set) var rows: [Row] = []

  private static let gap = "  "
  /// No column is cut below this.
  private static let shrunkLeast = 6

  init(_ columns: [Column]) {
    self.columns = columns
  }

  mutating func add(_ cells: [String], isDim: Bool = false) {
    precondition(cells.count == columns.count, "a row has a cell for each column")
    rows.append(Row(cells: cells.map(Shown.harmless), isDim: isDim))
  }

  /// One line a row, after one of headings; nothing where there are no rows.
  func lines(for terminal: Terminal) -> [String] {
    guard !rows.isEmpty else { return [] }
    let widths = widths(within: terminal.columns)
    let heading = terminal.bold(line(columns.map(\.heading), widths))
    return [heading]
      + rows.map { row in
        let line = line(row.cells, widths)
        return row.isDim ? terminal.dim(line) : line
      }
  }

  private func widths(within room: Int?) -> [Int] {
    var widths = columns.indices.map { column in
      rows.reduce(DisplayWidth.of(columns[column].heading)) {
        max($0, DisplayWidth.of($1.cells[column]))
      }
    }
    guard let room else { return widths }
    let gaps = Self.gap.count * (columns.count - 1)
    var excess = widths.reduce(gaps, +) - room
    while excess > 0 {
      let candidates = columns.indices.filter {
        columns[$0].canShrink && widths[$0] > Self.shrunkLeast
      }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
      // Down to the next widest at once, so that a long title does not take a step a column.
      let next = candidates.filter { $0 != widest }.map { widths[$0] }.max() ?? 0
      let step = max(1, widths[widest] - max(next, Self.shrunkLeast))
      let cut = min(excess, step)
      widths[widest] -= cut
      excess -= cut
    }
    return widths
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var line = ""
    for (column, cell) in cells.enumerated() {
      if column > 0 { line += Self.gap }
      let shown = Self.cut(cell, to: widths[column])
      let blanks = String(repeating: " ", count: max(0, widths[column] - DisplayWidth.of(shown)))
      line += columns[column].isNumber ? blanks + shown : shown + blanks
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// The text, or its beginning and an ellipsis, in at most so many columns.
  static func cut(_ text: String, to width: Int) -> String {
    guard DisplayWidth.of(text) > width else { return text }
    var shown = ""
    var used = 1
    for character in text {
      used += DisplayWidth.of(character)
      if used > width { break }
      shown.append(character)
    }
    return shown + "…"
  }
}
