import CratesInterface
import Glibc
import Platform
import Synchronization

/// Standard output and standard error, by whole lines.
enum Output {
  private static let waiting = Mutex(WaitingOutput())

  static func line(_ text: String) {
    bytes(Array(text.utf8) + [UInt8(ascii: "\n")])
  }

  static func line(_ object: JSON) {
    bytes(object.bytes + [UInt8(ascii: "\n")])
  }

  static func bytes(_ bytes: [UInt8]) {
    if waiting.withLock({ $0.add(bytes) }) { flush() }
  }

  /// Writes what waits. Ends the program quietly where nobody reads any longer.
  static func flush() {
    do throws(SystemCallError) {
      try writeAll(waiting.withLock { $0.take() }, to: STDOUT_FILENO)
    } catch {
      if error.code == EPIPE { exit(EXIT_SUCCESS) }
      complain("crate: standard output cannot be written: \(error.reason)")
      exit(Failure.Status.refused.rawValue)
    }
  }

  /// A line on standard error.
  static func complain(_ line: String) {
    draw("\(line)\n")
  }

  /// Text on standard error as it is, for a line that is drawn again and again.
  static func draw(_ text: String) {
    try? writeAll(Array(text.utf8), to: STDERR_FILENO)
  }
}

/// What is to be written, gathered so that a long listing is a few writes.
struct WaitingOutput {
  /// Bytes that wait at most, but for the line that is one too many.
  static let most = 64 << 10

  private var bytes: [UInt8] = []

  /// - Returns: whether it is time to write.
  mutating func add(_ more: [UInt8]) -> Bool {
    bytes += more
    return bytes.count > Self.most
  }

  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}
