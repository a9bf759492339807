/// Makes a terminal that shows one grid show another, with few bytes.
///
/// It knows what the terminal shows. After each run with a character that is not ASCII it places
/// the cursor anew: terminals differ on widths, and a row must not slip for it.
package struct Painter: Sendable {
  package var depth: ColorDepth
  /// What the terminal shows; nil: nobody knows.
  private var shown: Grid?

  /// Unchanged cells up to which it writes on: a new place for the cursor takes as many bytes.
  private static let gapMost = 6

  package init(depth: ColorDepth) { self.depth = depth }

  /// Nobody knows any longer what the terminal shows: it was resized, or something else wrote.
  package mutating func forget() { shown = nil }

  /// Rows of the terminal may have been torn, by a picture that was taken away, say.
  package mutating func forget(_ picture: PlacedPicture) { shown?.tear(picture) }

  /// The bytes after which the terminal shows the grid but for its pictures, below which cells are
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
      // A wide character is painted whole; its halves change together, or its left one.
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
      // A terminal that draws it narrower leaves none of what was there.
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
  /// Makes cells look different from all that is drawn.
  fileprivate mutating func tear(_ picture: PlacedPicture) {
    for row in max(0, picture.spot.row)..<min(rows, picture.spot.row + picture.rows) {
      paint(
        row: row, from: picture.spot.column, to: picture.spot.column + picture.columns, .torn)
    }
  }
}

extension Style {
  /// One that nobody draws with.
  fileprivate static let torn = Style(Attributes(rawValue: 0x800))
}
