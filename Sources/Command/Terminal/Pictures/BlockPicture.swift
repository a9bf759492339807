/// A picture of half blocks, with two pixels in a cell, for terminals that show only text.
package struct BlockPicture: Sendable, Hashable {
  /// The character of every cell.
  package static let character: Character = "▀"

  /// One cell: the text colour for the upper half, the background for the lower one.
  package struct Cell: Sendable, Hashable {
    package var upper: RGB
    package var lower: RGB

    package init(upper: RGB, lower: RGB) {
      self.upper = upper
      self.lower = lower
    }
  }

  /// The encoding of colours in the escape sequences.
  package enum Colours: Sendable {
    /// 24-bit red, green and blue.
    case all
    /// One of 256 palette colours.
    case palette
  }

  package let columns: Int
  package let rows: Int
  private let pixels: Pixels

  /// Stretches the picture to this many cells; sides below 1 count as 1.
  package init(_ pixels: Pixels, columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), Pixels.sideMost)
    self.rows = min(max(rows, 1), Pixels.sideMost / 2)
    self.pixels = pixels.scaled(width: self.columns, height: self.rows * 2)
  }

  package subscript(column: Int, row: Int) -> Cell {
    Cell(upper: pixels[column, 2 * row], lower: pixels[column, 2 * row + 1])
  }

  /// Returns a row as text with its colours, which are reset at its end.
  package func line(_ row: Int, colours: Colours) -> String {
    var text = ""
    var last: Cell?
    for column in 0..<columns {
      let cell = self[column, row]
      var attributes: [String] = []
      if last?.upper != cell.upper { attributes.append("38;" + code(cell.upper, colours)) }
      if last?.lower != cell.lower { attributes.append("48;" + code(cell.lower, colours)) }
      if !attributes.isEmpty { text += "\u{1B}[\(attributes.joined(separator: ";"))m" }
      text.append(Self.character)
      last = cell
    }
    return text + "\u{1B}[0m"
  }

  private func code(_ colour: RGB, _ colours: Colours) -> String {
    switch colours {
    case .all: "2;\(colour.red);\(colour.green);\(colour.blue)"
    case .palette: "5;\(colour.paletteIndex)"
    }
  }
}
