import Glibc
import Platform

/// The output of log lines. Writing never waits for a reader: a line for which a stuck or missing
/// reader has no room is lost.
package final class LogOutput: Sendable {
  package static let standardError = LogOutput(STDERR_FILENO)

  private let descriptor: Int32
  /// Whether the last line was cut off. Lines of two threads are written one after the other.
  private let isCut = Monitor(false)
  /// The number of bytes that a pipe, socket or terminal takes at once if it reports room
  /// (pipe(7)).
  private static let atOnce = 4_096
  private static let newline = UInt8(ascii: "\n")

  /// - Parameter descriptor: Is not closed.
  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// - Parameter line: The line without its line feed.
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

  /// Polls, since the descriptor can't be made nonblocking: other programs share it.
  private func hasRoom() -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return retrying { poll(&polled, 1, 0) } == 1 && polled.revents & Int16(POLLOUT) != 0
  }
}
