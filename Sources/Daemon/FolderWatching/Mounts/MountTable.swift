import LibraryModel

/// The mounts that matter to one music folder, from the text of `/proc/self/mountinfo`. Pure.
struct MountTable: Equatable {
  /// Mounts inside the folder, and the one it lies on.
  private var mounts: [[UInt8]] = []

  /// - Parameter roots: the folder's path, and what symbolic links in it lead to.
  init(_ text: [UInt8], roots: Set<BytePath>) {
    for root in roots.sorted() { note(text, root) }
  }

  private mutating func note(_ text: [UInt8], _ root: BytePath) {
    var above: (length: Int, line: [UInt8])?
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "))
      guard fields.count > 4 else { continue }
      let point = BytePath(Self.unescaped(fields[4]))
      // The mount's number, its device and its place tell it from any other.
      let mount = Array(fields[0] + fields[2] + fields[4])
      if point.isInside(root) {
        mounts.append(mount)
      } else if root.isInside(point), above.map({ point.count >= $0.length }) ?? true {
        above = (point.count, mount)
      }
    }
    if let above { mounts.append(above.line) }
  }

  /// Blanks and backslashes are written as a backslash and three octal digits.
  static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var index = field.startIndex
    while index < field.endIndex {
      let digits = field[(index + 1)...].prefix(3)
      if field[index] == UInt8(ascii: "\\"), digits.count == 3,
        digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) })
      {
        let value = digits.reduce(0) { $0 * 8 + Int($1 - UInt8(ascii: "0")) }
        result.append(UInt8(truncatingIfNeeded: value))
        index += 4
      } else {
        result.append(field[index])
        index += 1
      }
    }
    return result
  }
}
