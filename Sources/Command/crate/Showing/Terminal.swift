import Glibc

/// The properties of a standard stream.
struct Terminal {
  /// The columns to fit tables into; nil if there is no limit.
  var columns: Int?
  /// The rows of the screen; nil if it is not a terminal.
  var rows: Int?
  /// Whether bold and dim are supported.
  var hasStyles: Bool

  /// The least width for tables; narrower ones have no room for anything.
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
  ///   - told: The columns that the terminal reports.
  ///   - set: The columns that the user set.
  static func columns(told: Int?, set: String?) -> Int {
    let given = set.flatMap { Int($0) } ?? 0
    let columns = given > 0 ? given : told ?? WindowSize.usual.columns
    return max(columns, columnsLeast)
  }

  var isTerminal = false

  func bold(_ text: String) -> String { hasStyles ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  func dim(_ text: String) -> String { hasStyles ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}
