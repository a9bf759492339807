import Glibc
import Platform
import TestSupport

/// What a daemon tells its service manager, which this is: the datagrams of sd_notify(3).
package final class NotifySocket {
  /// For NOTIFY_SOCKET.
  package let address: String
  private let socket: OpenFile

  package var descriptor: Int32 { socket.descriptor }

  package init(_ home: Home) throws {
    address = home.folder.path("notify")
    unlink(address)
    socket = OpenFile(owning: try datagramSocket(boundTo: address))
  }

  /// The lines of the next message; nil where there is none by now.
  package func next() -> [Substring]? {
    var room = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &room, room.count, Int32(truncatingIfNeeded: MSG_DONTWAIT))
    guard count >= 0 else { return nil }
    return String(decoding: room.prefix(count), as: UTF8.self).split(separator: "\n")
  }

  /// All lines that were told since the last time.
  package func news() -> [Substring] {
    var lines: [Substring] = []
    while let next = next() { lines += next }
    return lines
  }
}
