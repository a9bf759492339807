import LibraryModel
import Platform

/// Copies of lists that players wrote, made before crated overwrites those, so that no edit of the
/// user's is ever lost.
struct ListBackups: Sendable {
  /// The maximum number of copies of a list; beyond it the oldest is removed.
  static let most = 20

  private let files: StateFiles

  init(in state: BytePath) { files = StateFiles(path: state.appending("kept".utf8)) }

  /// Stores the bytes under the list's name and the time at which they were saved. The same bytes
  /// of the same time are stored once.
  ///
  /// - Returns: the path of the copy.
  /// - Throws: as `StateFiles` does; no copy is left then.
  @discardableResult
  func add(_ bytes: [UInt8], of name: BytePath, saved: Int64) throws(SystemCallError) -> BytePath {
    let plain = name.display
    let dot = plain.lastIndex(of: ".") ?? plain.endIndex
    let (stem, ending) = (String(plain[..<dot]).cut(toBytes: 200), plain[dot...])
    var copy = "\(stem) \(timeText(saved))\(ending)"
    for number in 2...Self.most {
      guard let there = try files.read(copy) else { break }
      if there == bytes { return files.path.appending(copy.utf8) }
      copy = "\(stem) \(timeText(saved)) (\(number))\(ending)"
    }
    try files.write(bytes, to: copy)
    let all = files.names().filter { other in
      // The name, a blank and a time. Longer names with the same beginning don't count.
      let text = other.display
      return text.hasPrefix("\(stem) 2") && text.hasSuffix(ending)
        && text.dropFirst(stem.count + 1).prefix(8).allSatisfy(\.isNumber)
    }
    for other in all.dropLast(Self.most) { files.remove(other.display) }
    return files.path.appending(copy.utf8)
  }

  /// A time in UTC such as 20261125-003012.
  private func timeText(_ nanoseconds: Int64) -> String {
    let digits = Timestamp.text(nanoseconds / 1_000_000).filter(\.isNumber)
    return "\(digits.prefix(8))-\(digits.dropFirst(8).prefix(6))"
  }
}
