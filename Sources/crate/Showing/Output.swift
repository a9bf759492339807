import CratesInterface
import Glibc
import Synchronization

/// Standard output and standard error, by whole lines.
enum Output {
  private static let waiting = Mutex<[UInt8]>([])
  private static let flushedAbove = 64 << 10

  static func line(_ text: String) {
    bytes(Array(text.utf8) + [UInt8(ascii: "\n")])
  }

  static func line(_ object: JSON) {
    bytes(object.bytes + [UInt8(ascii: "\n")])
  }

  static func bytes(_ bytes: [UInt8]) {
    let isMuch = waiting.withLock { waiting in
      waiting.append(contentsOf: bytes)
      return waiting.count > flushedAbove
    }
    if isMuch { flush() }
  }

  /// Writes what waits. Ends the program quietly where nobody reads any longer.
  static func flush() {
    let bytes = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    switch write(bytes, to: STDOUT_FILENO) {
    case 0: return
    case EPIPE: exit(EXIT_SUCCESS)
    case let code:
      complain("crate: standard output cannot be written: \(String(cString: strerror(code)))")
      exit(Failure.Status.refused.rawValue)
    }
  }

  /// A line on standard error.
  static func complain(_ line: String) {
    _ = write(Array("\(line)\n".utf8), to: STDERR_FILENO)
  }

  /// Text on standard error as it is, for a line that is drawn again and again.
  static func draw(_ text: String) {
    _ = write(Array(text.utf8), to: STDERR_FILENO)
  }

  /// The errno, or 0.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno != EINTR { return errno }
      written += max(count, 0)
    }
    return 0
  }
}
