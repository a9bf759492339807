import Glibc

/// A connection to a server that talks in lines. Nothing waits on it longer than until a time of
/// the monotonic clock, so that a server which hangs holds nobody up. For one thread.
package struct LineConnection: ~Copyable {
  /// Bytes of a line; a longer one is none.
  package static let longestLine = 64 << 10

  private let socket: OpenFile
  private var received: [UInt8] = []
  /// Where in `received` the next line begins.
  private var start = 0

  /// - Parameter socket: one that is connected and does not block.
  package init(_ socket: consuming OpenFile) { self.socket = socket }

  /// To a local socket; nil where nobody listens, or too many wait there.
  ///
  /// - Parameter path: as bytes; with a NUL in front it is an abstract name (unix(7)).
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
    // An abstract name is all the bytes that are given.
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

  /// - Parameter until: by the monotonic clock, in nanoseconds.
  /// - Returns: whether all of it was sent by then.
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

  /// The next line without its end; nil where it does not come in time, is too long, or the server
  /// has gone.
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
