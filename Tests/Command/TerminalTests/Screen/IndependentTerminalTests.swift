import TestSupport
import Testing

@testable import Terminal

@Suite(
  "Painting on a terminal that others wrote", .limited,
  .enabled(if: IndependentTerminal.isInstalled, "libvterm0 is not installed; make test installs it")
)
struct IndependentTerminalTests {
  @Test("What was painted over anything is what is seen there, in windows of any size")
  func random() throws {
    var random = SeededGenerator(usually: 17)
    let terminal = try #require(IndependentTerminal(columns: 40, rows: 8))
    terminal.feed(TerminalModes.entering(mouse: true))
    for round in 0..<250 {
      let columns = Int.random(in: 1...50, using: &random)
      let rows = Int.random(in: 1...12, using: &random)
      terminal.resize(columns: columns, rows: rows)
      let depth = try #require(ColorDepth.allCases.randomElement(using: &random))
      var painter = Painter(depth: depth)
      for _ in 0..<5 {
        let grid = PainterTests.randomGrid(columns, rows, &random)
        terminal.feed(painter.paint(grid))
        if let fault = Self.fault(of: terminal, grid, depth) {
          Issue.record("\(random), round \(round), \(columns) x \(rows), \(depth): \(fault)")
          return
        }
      }
    }
  }

  /// The first difference between what is shown and what shall be. Of characters on whose width
  /// terminals differ, their own columns are left out.
  static func fault(
    of terminal: IndependentTerminal, _ grid: Grid, _ depth: ColorDepth
  ) -> String? {
    if let cursor = grid.cursor, terminal.cursor != (cursor.row, cursor.column) {
      return "the cursor's place: \(terminal.cursor)"
    }
    for row in 0..<grid.rows {
      for column in 0..<grid.columns where isCertain(grid, row, column) {
        let expected = cell(of: grid, row, column, depth)
        let shown = terminal.cell(row: row, column: column)
        if shown != expected { return "\(row), \(column): \(shown), not \(expected)" }
      }
    }
    return nil
  }

  private static func isCertain(_ grid: Grid, _ row: Int, _ column: Int) -> Bool {
    // Both columns of a wide one, and the one behind it, which a narrower one has left blank.
    (max(0, column - 1)...column).allSatisfy { column in
      let scalars = grid.scalars(row: row, column: column)
      return !grid.isRightHalf(row: row, column: column)
        && scalars.allSatisfy { $0.value < 0x300 || Widths.isCertain($0) }
    }
  }

  private static func cell(
    of grid: Grid, _ row: Int, _ column: Int, _ depth: ColorDepth
  ) -> IndependentTerminal.Cell {
    let style = grid.cells[row * grid.columns + column].style
    func colour(_ color: Color) -> IndependentTerminal.Colour {
      let shown =
        switch depth {
        case .mixed: color
        case .palette: color.inPalette
        case .sixteen: color.inSixteen
        case .none: Color.usual
        }
      return switch shown.kind {
      case .usual: .usual
      case .palette(let number): .palette(number)
      case .mixed(let red, let green, let blue): .mixed(red, green, blue)
      }
    }
    let isCovered = grid.isCovered(row: row, column: column)
    let scalars = isCovered ? [" "] : grid.scalars(row: row, column: column)
    return IndependentTerminal.Cell(
      scalars: Array(scalars.prefix(IndependentTerminal.scalarsMost)),
      isBold: style.attributes.contains(.bold), isItalic: style.attributes.contains(.italic),
      isUnderlined: style.attributes.contains(.underlined),
      isReversed: style.attributes.contains(.reversed), ink: colour(style.ink),
      paper: colour(style.paper))
  }
}
