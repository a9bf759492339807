import Glibc
import Terminal

/// The size of a terminal's window, as far as it is reported.
struct WindowSize {
  /// The default size, which is the VT100's.
  static let usual = (columns: 80, rows: 24)

  /// Nil if it isn't reported.
  let columns: Int?
  let rows: Int?
  /// The size of a cell in whole pixels; nil if it isn't reported, or is less than one pixel.
  let cell: CellSize?

  /// Returns nil if the descriptor is not a terminal.
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
