import Glibc
import Platform

/// Where lines of the log go. Nobody waits for whoever reads them: what a reader that is gone or
/// stuck has no room for is lost.
package final class LogOutput: Sendable {
  package static let standardError = LogOutput(STDERR_FILENO)

  private let descriptor: Int32
  /// Whether the last line has no end. Lines of two threads go out one after the other.
  private let isCut = Monitor(false)
  /// Bytes for which a pipe, socket or terminal that says that it has room has it, pipe(7).
  private static let atOnce = 4_096
  private static let newline = UInt8(ascii: "\n")

  /// - Parameter descriptor: stays open.
  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// - Parameter line: without its end.
  func write(_ line: String) {
    isCut.withLock { isCut in
      let bytes = (isCut ? [Self.newline] : []) + Array(line.utf8) + [Self.newline]
      var rest = bytes[...]
      while !rest.isEmpty, hasRoom() {
        let count = rest.prefix(Self.atOnce).withUnsafeBytes { piece in
          retrying { Glibc.write(descriptor, piece.baseAddress, piece.count) }
        }
        guard count > 0 else { break }
        rest = rest.dropFirst(count)
      }
      isCut = rest.count == bytes.count ? isCut : !rest.isEmpty
    }
  }

  /// It can't be made one that never waits: other programs have it, too.
  private func hasRoom() -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return retrying { poll(&polled, 1, 0) } == 1 && polled.revents & Int16(POLLOUT) != 0
  }
}
