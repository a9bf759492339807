/// A picture out of half blocks, two pixels in a cell: for terminals that show text and nothing
/// else, as part of the text.
package struct BlockPicture: Sendable, Hashable {
  /// The text of every cell.
  package static let character: Character = "▀"

  /// One cell: the half above in the colour of the text, the one below in that of the background.
  package struct Cell: Sendable, Hashable {
    package var upper: RGB
    package var lower: RGB

    package init(upper: RGB, lower: RGB) {
      self.upper = upper
      self.lower = lower
    }
  }

  /// How a terminal is told a colour.
  package enum Colours: Sendable {
    /// By red, green and blue.
    case all
    /// By one of 256 numbers.
    case palette
  }

  package let columns: Int
  package let rows: Int
  private let pixels: Pixels

  /// The picture, stretched to so many cells; sides below 1 count as 1.
  package init(_ pixels: Pixels, columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), Pixels.sideMost)
    self.rows = min(max(rows, 1), Pixels.sideMost / 2)
    self.pixels = pixels.scaled(width: self.columns, height: self.rows * 2)
  }

  package subscript(column: Int, row: Int) -> Cell {
    Cell(upper: pixels[column, 2 * row], lower: pixels[column, 2 * row + 1])
  }

  /// A row as text with its colours, which end with it.
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
