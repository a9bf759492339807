import Glibc
import Platform
import TestSupport

/// What a daemon tells its service manager, which this is: the datagrams of sd_notify(3). They are
/// taken as they come, for the kernel keeps ten (net.unix.max_dgram_qlen) and drops the others.
package final class NotifySocket {
  /// For NOTIFY_SOCKET.
  package let address: String
  private let socket: OpenFile
  private let messages = Monitor<[[Substring]]>([])
  /// While messages wait here.
  private let waiting: WakeUp
  private let stopping: WakeUp
  private let thread: BlockingThread

  /// Can be read from when there is a message.
  package var descriptor: Int32 { waiting.descriptor }

  package init(_ home: Home) throws {
    address = home.folder.path("notify")
    unlink(address)
    socket = OpenFile(owning: try datagramSocket(boundTo: address))
    let (waiting, stopping) = (try WakeUp(), try WakeUp())
    (self.waiting, self.stopping) = (waiting, stopping)
    thread = BlockingThread("notify") { [messages, descriptor = socket.descriptor] in
      var polled = [descriptor, stopping.descriptor].map { descriptor in
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      }
      while retrying({ poll(&polled, 2, -1) }) > 0, polled[1].revents == 0 {
        messages.withLock { messages in
          Self.take(from: descriptor, into: &messages)
          if !messages.isEmpty { waiting.wake() }
        }
      }
    }
  }

  deinit {
    stopping.wake()
    thread.join()
  }

  private static func take(from descriptor: Int32, into messages: inout [[Substring]]) {
    var room = [UInt8](repeating: 0, count: 4096)
    let flags = Int32(truncatingIfNeeded: MSG_DONTWAIT)
    while case let count = recv(descriptor, &room, room.count, flags), count >= 0 {
      let text = String(decoding: room.prefix(count), as: UTF8.self)
      messages.append(text.split(separator: "\n"))
    }
  }

  /// The lines of the next message; nil where there is none by now.
  package func next() -> [Substring]? {
    messages.withLock { messages in
      Self.take(from: socket.descriptor, into: &messages)
      let first = messages.isEmpty ? nil : messages.removeFirst()
      if messages.isEmpty { waiting.clear() } else { waiting.wake() }
      return first
    }
  }

  /// All lines that were told since the last time.
  package func news() -> [Substring] {
    var lines: [Substring] = []
    while let next = next() { lines += next }
    return lines
  }
}
