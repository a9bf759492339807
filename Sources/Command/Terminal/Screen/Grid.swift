/// The content of a terminal's screen: a rectangle of cells, the cursor, and the places of
/// pictures. It contains no control characters.
package struct Grid: Sendable {
  package let columns: Int
  package let rows: Int
  private(set) var cells: [Cell]
  /// Glyphs of several scalars, to which cells refer by index.
  private(set) var clusters: [[Unicode.Scalar]] = []
  /// The terminal's cursor; nil if it is hidden.
  package var cursor: Spot?
  /// All placed pictures, including those that something was written over.
  private(set) var placed: [PlacedPicture] = []
  /// Whether only ASCII may be shown.
  package let isASCII: Bool

  /// A position. The top left is 0, 0.
  package struct Spot: Hashable, Sendable {
    package var row: Int
    package var column: Int

    package init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }
  }

  /// One cell. The right half of a wide glyph has a cell of its own.
  struct Cell: Equatable {
    /// A scalar; with `cluster` set, the index of a cluster; with `picture` set, the index of a
    /// picture; 0 for the right half of the glyph to the left.
    var glyph: UInt32
    var style: Style

    static let cluster: UInt32 = 1 << 31
    static let picture: UInt32 = 1 << 30
    static let rightHalf: UInt32 = 0
    static let blank = Cell(glyph: 0x20, style: .plain)
  }

  /// The most columns or rows; cells beyond them stay blank.
  package static let sideMost = 1_000

  package init(columns: Int, rows: Int, isASCII: Bool = false) {
    self.columns = min(max(columns, 1), Self.sideMost)
    self.rows = min(max(rows, 1), Self.sideMost)
    self.isASCII = isASCII
    cells = Array(repeating: .blank, count: self.columns * self.rows)
  }

  // MARK: Drawing

  /// Writes as much of a text as fits. A wide glyph is never split.
  ///
  /// - Parameter end: The column behind the last one that may be written.
  /// - Returns: The column behind the text.
  @discardableResult
  package mutating func put(
    _ text: some StringProtocol, row: Int, column: Int, end: Int? = nil, _ style: Style = .plain
  ) -> Int {
    guard (0..<rows).contains(row), column >= 0 else { return column }
    let end = min(end ?? columns, columns)
    if let next = putASCII(text, row, column, end, style) { return next }
    var column = column
    var glyphs = Glyphs(text, isASCII: isASCII)
    while column < end, let glyph = glyphs.next() {
      guard column + glyph.width <= end else { break }
      set(glyph, row, column, style)
      column += glyph.width
    }
    return column
  }

  /// Writes a text that is ASCII, as most are: each byte is a cell.
  ///
  /// - Returns: nil if the text isn't ASCII.
  private mutating func putASCII(
    _ text: some StringProtocol, _ row: Int, _ column: Int, _ end: Int, _ style: Style
  ) -> Int? {
    let start = row * columns + column
    let room = max(end - column, 0)
    let next = text.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
      let count = min(bytes.count, room)
      if count == 0 { return column }
      // The cells in between are all overwritten.
      loosen(start, row)
      loosen(start + count - 1, row)
      for place in 0..<count {
        cells[start + place] = Cell(glyph: UInt32(bytes[place]), style: style)
      }
      return column + count
    }
    return next ?? nil
  }

  /// Writes a text, with `…` at its end if it doesn't fit.
  @discardableResult
  package mutating func putShortened(
    _ text: some StringProtocol, row: Int, column: Int, end: Int, _ style: Style = .plain
  ) -> Int {
    let end = min(end, columns)
    guard column < end else { return column }
    // Most texts fit, and need not be measured.
    if text.utf8.count <= end - column || Widths.of(text) <= end - column {
      return put(text, row: row, column: column, end: end, style)
    }
    let next = put(text, row: row, column: column, end: end - 1, style)
    return put(isASCII ? "~" : "…", row: row, column: next, end: end, style)
  }

  /// Sets the style of cells without changing their text.
  package mutating func paint(row: Int, from column: Int, to end: Int, _ style: Style) {
    for spot in spots(row, column, end) { cells[spot].style = style }
  }

  /// Adds attributes to cells without changing their text.
  package mutating func mark(
    row: Int, from column: Int, to end: Int, _ attributes: Style.Attributes
  ) {
    for spot in spots(row, column, end) {
      cells[spot].style = cells[spot].style.adding(attributes)
    }
  }

  /// Returns the range of cells, including both halves of the glyphs at either end.
  private func spots(_ row: Int, _ column: Int, _ end: Int) -> Range<Int> {
    let column = max(column, 0)
    let end = min(end, columns)
    guard (0..<rows).contains(row), column < end else { return 0..<0 }
    let isCutAhead = cells[row * columns + column].glyph == Cell.rightHalf
    let isCutBehind = end < columns && cells[row * columns + end].glyph == Cell.rightHalf
    return row * columns + column - (isCutAhead ? 1 : 0)..<row * columns + end
      + (isCutBehind ? 1 : 0)
  }

  private mutating func set(_ glyph: Glyphs.Glyph, _ row: Int, _ column: Int, _ style: Style) {
    let spot = row * columns + column
    loosen(spot, row)
    var code = glyph.scalar.value
    if !glyph.scalars.isEmpty {
      code = Cell.cluster | UInt32(clusters.count)
      clusters.append(glyph.scalars)
    }
    if glyph.width == 2 {
      loosen(spot + 1, row)
      cells[spot + 1] = Cell(glyph: Cell.rightHalf, style: style)
    }
    cells[spot] = Cell(glyph: code, style: style)
  }

  /// Blanks the other half of a wide glyph that is about to be overwritten.
  private mutating func loosen(_ spot: Int, _ row: Int) {
    if cells[spot].glyph == Cell.rightHalf { cells[spot - 1].glyph = Cell.blank.glyph }
    if spot + 1 < (row + 1) * columns, cells[spot + 1].glyph == Cell.rightHalf {
      cells[spot + 1].glyph = Cell.blank.glyph
    }
  }

  // MARK: Pictures

  /// Reserves a rectangle for a picture that the terminal draws.
  package mutating func place(_ picture: PlacedPicture) {
    var picture = picture
    picture.rows = min(picture.rows, rows - picture.spot.row)
    picture.columns = min(picture.columns, columns - picture.spot.column)
    guard picture.spot.row >= 0, picture.spot.column >= 0, picture.rows > 0, picture.columns > 0
    else { return }
    let code = Cell.picture | UInt32(placed.count)
    for row in picture.spot.row..<picture.spot.row + picture.rows {
      for column in picture.spot.column..<picture.spot.column + picture.columns {
        loosen(row * columns + column, row)
        cells[row * columns + column] = Cell(glyph: code, style: .plain)
      }
    }
    placed.append(picture)
  }

  /// The pictures that nothing was written over. Whether pictures are above or below text differs
  /// between terminals, so a partly covered picture is not shown at all.
  package var pictures: [PlacedPicture] {
    placed.enumerated().filter { isWhole($0.offset) }.map(\.element)
  }

  private func isWhole(_ number: Int) -> Bool {
    let picture = placed[number]
    let code = Cell.picture | UInt32(number)
    return (picture.spot.row..<picture.spot.row + picture.rows).allSatisfy { row in
      let start = row * columns + picture.spot.column
      return cells[start..<start + picture.columns].allSatisfy { $0.glyph == code }
    }
  }

  // MARK: Reading

  /// Returns the scalars of a cell; none for a right half or a cell that a picture covers.
  package func scalars(row: Int, column: Int) -> [Unicode.Scalar] {
    scalars(of: cells[row * columns + column])
  }

  func scalars(of cell: Cell) -> [Unicode.Scalar] {
    if cell.glyph & Cell.cluster != 0 { return clusters[Int(cell.glyph & ~Cell.cluster)] }
    if cell.glyph & Cell.picture != 0 || cell.glyph == Cell.rightHalf { return [] }
    return Unicode.Scalar(cell.glyph).map { [$0] } ?? []
  }

  package func style(row: Int, column: Int) -> Style { cells[row * columns + column].style }

  /// Whether the cell is the right half of a wide glyph.
  package func isRightHalf(row: Int, column: Int) -> Bool {
    cells[row * columns + column].glyph == Cell.rightHalf
  }

  package func isCovered(row: Int, column: Int) -> Bool {
    cells[row * columns + column].glyph & (Cell.cluster | Cell.picture) == Cell.picture
  }

  /// Returns the text of a row without trailing blanks. A cell that a picture covers is a blank.
  package func text(row: Int) -> String {
    var text = String.UnicodeScalarView()
    for column in 0..<columns {
      if isCovered(row: row, column: column) { text.append(" ") }
      text.append(contentsOf: scalars(row: row, column: column))
    }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

/// A rectangle for a picture that the terminal draws.
package struct PlacedPicture: Hashable, Sendable {
  /// The identity of the picture.
  package var name: String
  package var spot: Grid.Spot
  package var columns: Int
  package var rows: Int

  package init(name: String, spot: Grid.Spot, columns: Int, rows: Int) {
    self.name = name
    self.spot = spot
    self.columns = columns
    self.rows = rows
  }
}

extension Grid: Equatable {
  /// Whether both grids look the same.
  package static func == (left: Grid, right: Grid) -> Bool {
    guard left.columns == right.columns, left.rows == right.rows, left.cursor == right.cursor,
      left.placed == right.placed
    else { return false }
    return left.cells.indices.allSatisfy { Cells.areSame($0, left, right) }
  }
}

/// Comparison of the cells of two grids.
enum Cells {
  /// Whether the cells look the same. Both grids must have the same width.
  static func areSame(_ spot: Int, _ left: Grid, _ right: Grid) -> Bool {
    let (one, other) = (left.cells[spot], right.cells[spot])
    guard one.style == other.style else { return false }
    if one.glyph & other.glyph & Grid.Cell.cluster != 0 {
      return left.scalars(of: one) == right.scalars(of: other)
    }
    let pictures = Grid.Cell.cluster | Grid.Cell.picture
    if one.glyph & pictures == Grid.Cell.picture, other.glyph & pictures == Grid.Cell.picture {
      return left.placed[Int(one.glyph & ~Grid.Cell.picture)]
        == right.placed[Int(other.glyph & ~Grid.Cell.picture)]
    }
    return one.glyph == other.glyph
  }
}
