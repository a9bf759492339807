import Glibc

/// A connection to a server with a line-based protocol. Every call has a deadline on the monotonic
/// clock, so that a server that hangs blocks nothing. For use by one thread.
package struct LineConnection: ~Copyable {
  /// The maximum length of a line in bytes. A longer one is an error.
  package static let longestLine = 64 << 10

  private let socket: OpenFile
  private var received: [UInt8] = []
  /// The index in `received` at which the next line begins.
  private var start = 0

  /// - Parameter socket: a connected, non-blocking socket.
  package init(_ socket: consuming OpenFile) { self.socket = socket }

  /// Connects to a local socket. Returns nil if no server listens, or if its queue is full.
  ///
  /// - Parameter path: the bytes of the path; with a NUL in front, an abstract name (unix(7)).
  package init?(local path: [UInt8]) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard !path.isEmpty, path.count < room, !path.dropFirst().contains(0) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = Glibc.socket(AF_UNIX, type | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    let socket = OpenFile(owning: descriptor)
    // An abstract name consists of all the bytes given.
    let beginning = MemoryLayout<sockaddr_un>.size - room
    let length = path.first == 0 ? beginning + path.count : MemoryLayout<sockaddr_un>.size
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(length)) == 0
      }
    }
    guard isConnected else { return nil }
    self.socket = socket
  }

  /// Sends the bytes.
  ///
  /// - Parameter until: the deadline on the monotonic clock, in nanoseconds.
  /// - Returns: whether all of them were sent by then.
  package func send(_ bytes: [UInt8], until: Int64) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let flags = Int32(truncatingIfNeeded: MSG_NOSIGNAL) | Int32(truncatingIfNeeded: MSG_DONTWAIT)
      let count = bytes[sent...].withUnsafeBytes { rest in
        retrying { Glibc.send(socket.descriptor, rest.baseAddress, rest.count, flags) }
      }
      if count > 0 {
        sent += count
      } else {
        guard count < 0, errno == EAGAIN,
          isReady(socket.descriptor, for: POLLOUT, until: until)
        else { return false }
      }
    }
    return true
  }

  /// Returns the next line without its line feed; nil if it doesn't arrive in time, is too long, or
  /// the server has gone.
  package mutating func line(until: Int64) -> [UInt8]? {
    var scanned = start
    while true {
      if let end = received[scanned...].firstIndex(of: 0x0A) {
        defer { start = end + 1 }
        return Array(received[start..<end])
      }
      scanned = received.count
      guard scanned - start <= Self.longestLine,
        isReady(socket.descriptor, for: POLLIN, until: until)
      else { return nil }
      received.removeFirst(start)
      (scanned, start) = (scanned - start, 0)
      var room = [UInt8](repeating: 0, count: 16 << 10)
      let flags = Int32(truncatingIfNeeded: MSG_DONTWAIT)
      let count = retrying { recv(socket.descriptor, &room, room.count, flags) }
      guard count > 0 else { return nil }
      received += room[..<count]
    }
  }
}
