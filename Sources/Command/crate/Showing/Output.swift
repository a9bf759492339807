import CratesInterface
import Glibc
import Platform
import Synchronization

/// Standard output and standard error, line by line.
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

  /// Writes buffered output. Ends the program silently if the pipe is closed.
  static func flush() {
    do throws(SystemCallError) {
      try writeAll(waiting.withLock { $0.take() }, to: STDOUT_FILENO)
    } catch {
      if error.code == EPIPE { exit(EXIT_SUCCESS) }
      complain("crate: standard output cannot be written: \(error.reason)")
      exit(Failure.Status.refused.rawValue)
    }
  }

  /// Writes a line to standard error.
  static func complain(_ line: String) {
    draw("\(line)\n")
  }

  /// Writes text to standard error as it is, for a line that is redrawn.
  static func draw(_ text: String) {
    try? writeAll(Array(text.utf8), to: STDERR_FILENO)
  }
}

/// A buffer that combines a long listing into a few writes.
struct WaitingOutput {
  /// The most bytes to buffer, not counting the last line.
  static let most = 64 << 10

  private var bytes: [UInt8] = []

  /// - Returns: Whether the buffer has to be written.
  mutating func add(_ more: [UInt8]) -> Bool {
    bytes += more
    return bytes.count > Self.most
  }

  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}
