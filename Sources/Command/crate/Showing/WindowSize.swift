import Glibc
import Terminal

/// How large a terminal's window is, as far as it tells.
struct WindowSize {
  /// What is taken for its size where it doesn't tell: the VT100's.
  static let usual = (columns: 80, rows: 24)

  /// Nil where it doesn't tell.
  let columns: Int?
  let rows: Int?
  /// The whole pixels of a cell; nil where it tells of none, or of fewer than cells.
  let cell: CellSize?

  /// Nil where the descriptor is no terminal.
  init?(of descriptor: Int32) {
    var told = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &told) == 0 else { return nil }
    self.init(told)
  }

  init(_ told: winsize) {
    columns = told.ws_col > 0 ? Int(told.ws_col) : nil
    rows = told.ws_row > 0 ? Int(told.ws_row) : nil
    if let columns, let rows, Int(told.ws_xpixel) >= columns, Int(told.ws_ypixel) >= rows {
      cell = CellSize(width: Int(told.ws_xpixel) / columns, height: Int(told.ws_ypixel) / rows)
    } else {
      cell = nil
    }
  }
}
