import Glibc

/// What standard input, standard output and standard error are.
struct Terminal {
  /// Columns to fit tables into; `nil` where nothing has to fit.
  var columns: Int?
  /// Lines of its screen; `nil` where it is none.
  var rows: Int?
  /// Whether bold and dim may be used.
  var hasStyles: Bool

  /// Narrower than this, a table has no room for anything.
  static let columnsLeast = 20

  static let input = Terminal(STDIN_FILENO)
  static let output = Terminal(STDOUT_FILENO)
  static let errors = Terminal(STDERR_FILENO)

  init(columns: Int?, hasStyles: Bool) {
    self.columns = columns
    self.hasStyles = hasStyles
  }

  private init(_ descriptor: Int32) {
    let isTerminal = isatty(descriptor) == 1
    hasStyles = isTerminal && Environment["NO_COLOR"] == nil && Environment["TERM"] != "dumb"
    self.isTerminal = isTerminal
    guard isTerminal else { return }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    if let given = Environment["COLUMNS"].flatMap({ Int($0) }), given > 0 {
      columns = max(given, Self.columnsLeast)
    } else {
      columns = isKnown && size.ws_col > 0 ? max(Int(size.ws_col), Self.columnsLeast) : 80
    }
    rows = isKnown && size.ws_row > 0 ? Int(size.ws_row) : nil
  }

  var isTerminal = false

  func bold(_ text: String) -> String { hasStyles ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  func dim(_ text: String) -> String { hasStyles ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}
