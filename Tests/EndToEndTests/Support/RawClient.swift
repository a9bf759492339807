import CratesInterface
import Glibc
import Platform
import TestSupport
import Testing

/// A client that sends what bytes it likes. It gives up reading after a while, so that a daemon
/// that doesn't answer fails the test.
struct RawClient: ~Copyable {
  private let socket: OpenFile

  init(_ home: Home) throws { try self.init(socket: home.socket) }

  init(socket path: String) throws {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    socket = OpenFile(owning: Glibc.socket(AF_UNIX, type, 0))
    var limit = timeval(tv_sec: Patience.seconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(socket.descriptor, SOL_SOCKET, option, &limit, size)
    }
    let connected = withSocketAddress(path) { connect(socket.descriptor, $0, $1) }
    guard connected == 0 else { throw SystemCallError("connect", path) }
  }

  /// False where the daemon has closed the connection.
  @discardableResult
  borrowing func send(_ bytes: [UInt8]) -> Bool {
    let flags = Int32(MSG_NOSIGNAL)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { rest in
        retrying { Glibc.send(socket.descriptor, rest.baseAddress, rest.count, flags) }
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Sends the call of a method without parameters.
  @discardableResult
  borrowing func call(_ method: String) -> Bool {
    send((["method": .string(method)] as JSON).bytes + [0])
  }

  /// The next reply; nil where the daemon closes the connection. For one reply at a time.
  borrowing func reply() throws -> JSON? {
    var received: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while received.last != 0 {
      let count = retrying { recv(socket.descriptor, &room, room.count, 0) }
      if count == 0 || (count < 0 && errno == ECONNRESET) { return nil }
      guard count > 0 else { throw SystemCallError("recv", "from crated") }
      received += room[..<count]
    }
    return try JSON(parsing: Array(received.dropLast()))
  }
}
