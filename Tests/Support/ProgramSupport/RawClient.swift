package import CratesInterface
import Glibc
import Platform
import TestSupport
import Testing

/// A client that sends what bytes it likes. It gives up reading after a while, so that a daemon
/// that doesn't answer fails the test.
package struct RawClient: ~Copyable {
  private let socket: OpenFile

  package init(_ home: Home) throws { try self.init(socket: home.socket) }

  package init(socket path: String) throws {
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
  package borrowing func send(_ bytes: [UInt8]) -> Bool {
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
  package borrowing func call(_ method: String) -> Bool {
    send((["method": .string(method)] as JSON).bytes + [0])
  }

  /// The next reply; nil where the daemon closes the connection.
  package borrowing func reply() throws -> JSON? {
    var count = 0
    return try reply(behind: [], counting: &count)
  }

  /// The same, adding its bytes. It ends with its NUL, and what is behind that stays in the kernel.
  ///
  /// - Parameter taken: what was taken of it already.
  package borrowing func reply(behind taken: [UInt8], counting total: inout Int) throws -> JSON? {
    var received = taken
    while true {
      guard let seen = try look(), !seen.isEmpty else { return nil }
      let end = seen.firstIndex(of: 0)
      let count = end.map { $0 + 1 } ?? seen.count
      received += seen[..<count]
      total += count
      try take(count)
      if end != nil { return try JSON(parsing: Array(received.dropLast())) }
    }
  }

  /// What has come and is not taken yet, or comes next.
  private borrowing func look() throws -> [UInt8]? {
    var room = [UInt8](repeating: 0, count: 1 << 16)
    let count = retrying { recv(socket.descriptor, &room, room.count, Int32(MSG_PEEK)) }
    if count == 0 || (count < 0 && errno == ECONNRESET) { return nil }
    guard count > 0 else { throw SystemCallError("recv", "from crated") }
    return Array(room[..<count])
  }

  /// Takes so many bytes, waiting for them.
  package borrowing func take(_ count: Int) throws {
    var room = [UInt8](repeating: 0, count: 1 << 16)
    var left = count
    while left > 0 {
      let got = retrying { recv(socket.descriptor, &room, min(room.count, left), 0) }
      guard got > 0 else { throw SystemCallError("recv", "from crated") }
      left -= got
    }
  }
}
