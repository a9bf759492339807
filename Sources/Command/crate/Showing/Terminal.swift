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
    let size = WindowSize(of: descriptor)
    columns = Self.columns(told: size?.columns, set: Environment["COLUMNS"])
    rows = size?.rows
  }

  /// - Parameters:
  ///   - told: what the terminal says.
  ///   - set: what the person set.
  static func columns(told: Int?, set: String?) -> Int {
    let given = set.flatMap { Int($0) } ?? 0
    let columns = given > 0 ? given : told ?? WindowSize.usual.columns
    return max(columns, columnsLeast)
  }

  var isTerminal = false

  func bold(_ text: String) -> String { hasStyles ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  func dim(_ text: String) -> String { hasStyles ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}
