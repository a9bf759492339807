import Glibc
import Platform

/// Standard input.
enum Input {
  /// 12 letters and a line break for each: more than 600,000 ids.
  private static let bytesMost = 8 << 20

  /// Whether another program writes to it.
  static var isPipe: Bool {
    var status = stat()
    return fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Reads a line and returns whether it is a yes.
  ///
  /// - Parameter byDefault: The meaning of an empty line. The end of the input is a no.
  static func isYes(byDefault: Bool = false) -> Bool {
    isYes(readLine(), byDefault: byDefault)
  }

  /// Whether the line is a yes; nil, for the end of the input, is a no.
  static func isYes(_ line: String?, byDefault: Bool) -> Bool {
    guard let line else { return false }
    let word = line.lowercased().filter { !$0.isWhitespace }
    return word.isEmpty ? byDefault : ["y", "yes"].contains(word)
  }

  /// Reads the lines up to the end of the input, without blank ones.
  ///
  /// - Parameter most: The most bytes; larger input is refused.
  static func lines(
    on descriptor: Int32 = STDIN_FILENO, most: Int = bytesMost
  ) throws(Failure) -> [String] {
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = retrying { read(descriptor, &room, room.count) }
      if count == 0 { break }
      guard count > 0 else {
        throw .refused("standard input cannot be read: \(String(cString: strerror(errno)))")
      }
      bytes.append(contentsOf: room[..<count])
      guard bytes.count <= most else {
        let limit = "at most \(most >> 20) MiB of names are read"
        throw .refused("too much came on standard input; \(limit)")
      }
    }
    // Paths keep their bytes.
    return bytes.split { $0 == UInt8(ascii: "\n") || $0 == 0 }
      .map { FileAddress.word(Array($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0)) }
      .filter { !$0.allSatisfy(\.isWhitespace) }
  }
}
