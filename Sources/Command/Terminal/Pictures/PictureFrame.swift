/// The size of a character cell in pixels.
package struct CellSize: Sendable, Hashable {
  /// The cell size of a VT340, for which sixels were designed. The default for terminals that don't
  /// report their own.
  package static let usual = CellSize(width: 10, height: 20)
  /// No terminal has larger cells.
  private static let most = 256

  package let width: Int
  package let height: Int

  package init(width: Int, height: Int) {
    self.width = min(max(width, 1), Self.most)
    self.height = min(max(height, 1), Self.most)
  }
}

/// The size of a picture in a terminal: as large as fits, with its own proportions.
package struct PictureFrame: Sendable, Hashable {
  /// The cells that the picture covers.
  package let columns: Int
  package let rows: Int
  /// The size of the picture in those cells, in the terminal's pixels. The last column and row may
  /// be partly empty.
  package let width: Int
  package let height: Int

  /// Fits the picture into an area of cells. Sides below 1 count as 1.
  package init(
    of pixels: Pixels, inColumns columns: Int, rows: Int, cell: CellSize = .usual
  ) {
    let room = (width: max(columns, 1) * cell.width, height: max(rows, 1) * cell.height)
    // Whether the width limits the size.
    let isWide = pixels.width * room.height >= pixels.height * room.width
    if isWide {
      width = room.width
      height = max(1, Self.rounded(pixels.height * room.width, by: pixels.width))
    } else {
      height = room.height
      width = max(1, Self.rounded(pixels.width * room.height, by: pixels.height))
    }
    self.columns = (width + cell.width - 1) / cell.width
    self.rows = (height + cell.height - 1) / cell.height
  }

  private static func rounded(_ number: Int, by divisor: Int) -> Int {
    (number + divisor / 2) / divisor
  }
}
