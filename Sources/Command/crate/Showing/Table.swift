/// Rows of text in columns that fit the terminal.
struct Table {
  struct Column {
    enum Kind {
      /// May be cut to make room; the widest such column is cut first.
      case name
      /// Is aligned right.
      case number
      /// Is shown whole or not at all.
      case word
    }

    let heading: String
    let kind: Kind
    /// The order in which columns are dropped for lack of room, the least first.
    let leaves: Int?

    static func name(_ heading: String, leaves: Int? = nil) -> Column {
      Column(heading: heading, kind: .name, leaves: leaves)
    }

    static func number(_ heading: String, leaves: Int? = nil) -> Column {
      Column(heading: heading, kind: .number, leaves: leaves)
    }

    static func word(_ heading: String, leaves: Int? = nil) -> Column {
      Column(heading: heading, kind: .word, leaves: leaves)
    }
  }

  private struct Row {
    var cells: [String]
    var isDim: Bool
  }

  private let columns: [Column]
  private var rows: [Row] = []
  /// The headings above rows, by the row below them.
  private var headings: [Int: String] = [:]

  var rowCount: Int { rows.count }

  private static let gap = "  "
  /// The most columns of a cell on a terminal, however wide it is: a tag may have 64 KiB.
  private static let widest = 200
  /// The width below which no column is cut.
  private static let shrunkLeast = 6
  /// The width below which no column is cut while others can be dropped.
  private static let comfortable = 24

  init(_ columns: [Column]) {
    self.columns = columns
  }

  mutating func add(_ cells: [String], isDim: Bool = false) {
    precondition(cells.count == columns.count, "a row has a cell for each column")
    rows.append(Row(cells: cells.map(Shown.harmless), isDim: isDim))
  }

  /// Adds a heading above the row that is added next.
  mutating func add(heading: String) { headings[rows.count] = Shown.harmless(heading) }

  /// Returns the lines, with the column headings first; empty if there are no rows.
  func lines(for terminal: Terminal) -> [String] {
    guard !rows.isEmpty else { return [] }
    let widths = widths(for: terminal)
    let heading = terminal.bold(line(columns.map(\.heading), widths))
    return [heading]
      + rows.enumerated().flatMap { place, row in
        let line = line(row.cells, widths)
        let above = headings[place].map { [terminal.dim($0)] } ?? []
        return above + [row.isDim ? terminal.dim(line) : line]
      }
  }

  /// Returns nil for a column that is dropped because it is empty or for lack of room.
  private func widths(for terminal: Terminal) -> [Int?] {
    let most = terminal.isTerminal ? Self.widest : .max
    var widths: [Int?] = columns.indices.map { column in
      let width = rows.reduce(0) { max($0, DisplayWidth.of($1.cells[column])) }
      return width == 0 ? nil : min(most, max(width, DisplayWidth.of(columns[column].heading)))
    }
    guard let room = terminal.columns else { return widths }
    while Self.total(columns.indices.map { comfort($0, widths) }) > room {
      let leaving = columns.indices.filter { widths[$0] != nil && columns[$0].leaves != nil }
        .min { (columns[$0].leaves ?? 0) < (columns[$1].leaves ?? 0) }
      guard let leaving else { break }
      widths[leaving] = nil
    }
    var excess = Self.total(widths) - room
    while excess > 0 {
      let candidates = columns.indices.filter {
        columns[$0].kind == .name && widths[$0] ?? 0 > Self.shrunkLeast
      }
      let width = { (column: Int) in widths[column] ?? 0 }
      guard let widest = candidates.max(by: { width($0) < width($1) }) else { break }
      // Cuts to the width of the next widest column at once, so that a long title doesn't take one
      // step per column.
      let next = candidates.filter { $0 != widest }.map(width).max() ?? 0
      let step = max(1, width(widest) - max(next, Self.shrunkLeast))
      let cut = min(excess, step)
      widths[widest] = width(widest) - cut
      excess -= cut
    }
    return widths
  }

  private func comfort(_ column: Int, _ widths: [Int?]) -> Int? {
    widths[column].map { columns[column].kind == .name ? min($0, Self.comfortable) : $0 }
  }

  private static func total(_ widths: [Int?]) -> Int {
    let shown = widths.compactMap(\.self)
    return shown.reduce(gap.count * max(0, shown.count - 1), +)
  }

  private func line(_ cells: [String], _ widths: [Int?]) -> String {
    var line = ""
    var isFirst = true
    for (column, cell) in cells.enumerated() {
      guard let width = widths[column] else { continue }
      if !isFirst { line += Self.gap }
      isFirst = false
      let shown = Self.cut(cell, to: width)
      let blanks = String(repeating: " ", count: max(0, width - DisplayWidth.of(shown)))
      line += columns[column].kind == .number ? blanks + shown : shown + blanks
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Shortens a text to at most so many columns, with an ellipsis.
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
