import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite(
  "What is seen of random sessions", .limited,
  .enabled(if: IndependentTerminal.isInstalled, "libvterm0 is not installed; make test installs it")
)
struct ShownTests {
  private static let looks: [(look: Look, depth: ColorDepth)] = [
    (Look(covers: .blocks), .mixed), (Look(covers: .blocks), .palette),
    (Look(covers: .kitty), .mixed), (Look(covers: .sixel), .palette), (Look(), .sixteen),
    (Look(isPlain: true), .none), (Look(isASCII: true), .sixteen),
  ]

  @Test("is, on a terminal that others wrote, what was meant, in windows of any size")
  func frames() throws {
    var random = SeededGenerator(usually: 5)
    let terminal = try #require(IndependentTerminal(columns: 80, rows: 24))
    terminal.feed(TerminalModes.entering(mouse: true))
    let pixels = try #require(
      Pixels(
        width: 24, height: 24,
        bytes: (0..<24 * 24 * 3).map { _ in UInt8.random(in: 0...255, using: &random) }))
    for round in 0..<120 {
      var (columns, rows) = Self.size(&random)
      let (look, depth) = Self.looks[round % Self.looks.count]
      var session = Session(
        RandomSessionTests.crates(&random), columns: columns, rows: rows, look: look)
      var painter = Painter(depth: depth)
      terminal.resize(columns: columns, rows: rows)
      for step in 0..<12 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          (columns, rows) = Self.size(&random)
          terminal.resize(columns: columns, rows: rows)
          painter.forget()
          session.take(.resized(columns: columns, rows: rows))
        case 1, 2:
          session.take(.rested)
          for album in session.browser.items {
            let id = session.browser.tables[album].id
            session.take(
              .cover(
                album: id, digest: "d", step.isMultiple(of: 2) ? pixels : nil, side: 64))
          }
        case 3: session.take(.roomForMore(cells: Int.random(in: 1...400, using: &random)))
        case 4:
          session.happens(session.keeper.add("日n\(round).\(step)", to: "Music"))
          session.settle()
        default:
          session.press(RandomSessionTests.keys.randomElement(using: &random) ?? Stroke("j"))
        }
        let grid = session.browser.grid()
        terminal.feed(painter.paint(grid))
        if let fault = Self.fault(of: terminal, grid) {
          Issue.record("\(random), round \(round), step \(step), \(columns) x \(rows): \(fault)")
          return
        }
      }
    }
  }

  private static func size(_ random: inout SeededGenerator) -> (columns: Int, rows: Int) {
    (Int.random(in: 1...150, using: &random), Int.random(in: 1...45, using: &random))
  }

  /// The first row whose text is another one than was meant.
  private static func fault(of terminal: IndependentTerminal, _ grid: Grid) -> String? {
    if let cursor = grid.cursor, terminal.cursor != (cursor.row, cursor.column) {
      return "the cursor is at \(terminal.cursor), not at \(cursor)"
    }
    for row in 0..<grid.rows {
      var shown = String.UnicodeScalarView()
      for column in 0..<grid.columns {
        shown.append(contentsOf: terminal.cell(row: row, column: column).scalars)
      }
      var meant = String.UnicodeScalarView()
      for column in 0..<grid.columns where !grid.isRightHalf(row: row, column: column) {
        meant.append(
          contentsOf: grid.isCovered(row: row, column: column)
            ? [" "] : grid.scalars(row: row, column: column))
      }
      if String(shown) != String(meant) { return "row \(row): “\(shown)”, not “\(meant)”" }
    }
    return nil
  }
}
