/// Updates a terminal from one grid to another with few bytes.
///
/// It knows what the terminal shows. After each run with a non-ASCII character it positions the
/// cursor again: terminals differ on widths, which must not shift the rest of the row.
package struct Painter: Sendable {
  package var depth: ColorDepth
  /// What the terminal shows; nil if that is unknown.
  private var shown: Grid?

  /// The most unchanged cells to write again instead of moving the cursor, which takes as many
  /// bytes.
  private static let gapMost = 6

  package init(depth: ColorDepth) { self.depth = depth }

  /// Marks the content as unknown, after the terminal was resized or another program wrote to it.
  package mutating func forget() { shown = nil }

  /// Marks the cells of a picture as unknown, for example after it was removed.
  package mutating func forget(_ picture: PlacedPicture) { shown?.tear(picture) }

  /// Returns the bytes that make the terminal show the grid without its pictures. Their cells are
  /// blank.
  package mutating func paint(_ grid: Grid) -> [UInt8] {
    var output = TerminalOutput(depth: depth)
    output.hideCursor()
    let prefix = output.bytes.count
    var old = shown
    if old?.columns != grid.columns || old?.rows != grid.rows || old?.isASCII != grid.isASCII {
      output.clear()
      old = Grid(columns: grid.columns, rows: grid.rows, isASCII: grid.isASCII)
    }
    if let old {
      for row in 0..<grid.rows { Self.paint(row, of: grid, over: old, &output) }
    }
    output.endStyle()
    if output.bytes.count == prefix, shown?.cursor == grid.cursor, shown != nil {
      shown = grid
      return []
    }
    if let cursor = grid.cursor {
      output.move(to: cursor)
      output.showCursor()
    }
    shown = grid
    return output.bytes
  }

  private static func paint(
    _ row: Int, of grid: Grid, over old: Grid, _ output: inout TerminalOutput
  ) {
    let columns = grid.columns
    let start = row * columns
    var column = 0
    while true {
      while column < columns, Cells.areSame(start + column, grid, old) { column += 1 }
      guard column < columns else { return }
      var end = column + 1
      var last = end
      while end < columns, end - last <= gapMost {
        end += 1
        if !Cells.areSame(start + end - 1, grid, old) { last = end }
      }
      // A wide character is painted as a whole; either both halves change or the left one.
      if last < columns, grid.cells[start + last].glyph == Grid.Cell.rightHalf { last += 1 }
      write(row, column..<last, of: grid, &output)
      column = last
    }
  }

  private static func write(
    _ row: Int, _ range: Range<Int>, of grid: Grid, _ output: inout TerminalOutput
  ) {
    let start = row * grid.columns
    output.move(to: Grid.Spot(row: row, column: range.lowerBound))
    if range.contains(where: { isUncertain(grid.cells[start + $0], grid) }) {
      // If the terminal draws the character narrower, no former text may remain beside it.
      output.erase(range.count)
    }
    for column in range {
      let cell = grid.cells[start + column]
      if cell.glyph == Grid.Cell.rightHalf { continue }
      if !output.isPlaced { output.move(to: Grid.Spot(row: row, column: column)) }
      output.style(cell.style)
      if cell.glyph < 0x7F {
        output.write(ascii: UInt8(cell.glyph))
      } else if grid.isCovered(row: row, column: column) {
        output.write(ascii: 0x20)
      } else {
        output.write(grid.scalars(of: cell))
      }
    }
  }

  private static func isUncertain(_ cell: Grid.Cell, _ grid: Grid) -> Bool {
    if cell.glyph < 0x300 { return false }
    if cell.glyph & Grid.Cell.cluster != 0 { return true }
    return Unicode.Scalar(cell.glyph).map { !Widths.isCertain($0) } ?? false
  }

}

extension Grid {
  /// Makes cells differ from everything that is drawn.
  fileprivate mutating func tear(_ picture: PlacedPicture) {
    for row in max(0, picture.spot.row)..<min(rows, picture.spot.row + picture.rows) {
      paint(
        row: row, from: picture.spot.column, to: picture.spot.column + picture.columns, .torn)
    }
  }
}

extension Style {
  /// A style that is never drawn.
  fileprivate static let torn = Style(Attributes(rawValue: 0x800))
}
