/// A line on standard input: a name, an id or a path, or a line that `list` or `find` printed.
enum PipedLine {
  private static let titleColumn = 1
  private static let idColumn = 6

  /// Returns the name, id or path in a line.
  static func name(_ line: String) -> String {
    let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard cells.count > 1, !FileAddress.isMeant(by: line) else { return line }
    guard cells.count > idColumn else { return cells[cells.count - 1] }
    // A crate has no id.
    let mark: WhatArgument.Mark = cells[idColumn].isEmpty ? .crate : .id
    return mark.rawValue + (mark == .id ? cells[idColumn] : cells[titleColumn])
  }
}
