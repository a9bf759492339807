import Glibc
import Platform
import Synchronization
import TestSupport
import Testing

/// Something that listens on a local socket, and answers the lines of one client as it is told to.
final class FakeServer: Sendable {
  let path: String
  private let asked = Monitor<[String]>([])
  private let listening: OpenFile
  private let thread: Mutex<BlockingThread?>

  /// - Parameters:
  ///   - greeting: what it says first; nil: nothing.
  ///   - answer: to a line; nil: it goes away.
  init(
    in folder: TemporaryFolder, greeting: String?,
    _ answer: @escaping @Sendable (String) -> String?
  ) throws {
    path = folder.path("socket")
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    listening = OpenFile(owning: descriptor)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && listen(descriptor, 4) == 0)
    thread = Mutex(nil)
    let asked = asked
    let running = BlockingThread("fake server") {
      let client = accept(descriptor, nil, nil)
      if client < 0 { return }
      let connection = OpenFile(owning: client)
      func say(_ text: String) {
        let flags = Int32(truncatingIfNeeded: MSG_NOSIGNAL)
        _ = send(connection.descriptor, text, text.utf8.count, flags)
      }
      if let greeting { say(greeting) }
      var received: [UInt8] = []
      var room = [UInt8](repeating: 0, count: 4096)
      while true {
        while let end = received.firstIndex(of: 0x0A) {
          let line = String(decoding: received[..<end], as: UTF8.self)
          received.removeFirst(end + 1)
          asked.withLock { $0.append(line) }
          guard let text = answer(line) else { return }
          say(text)
        }
        let count = recv(connection.descriptor, &room, room.count, 0)
        if count <= 0 { return }
        received += room[..<count]
      }
    }
    thread.withLock { $0 = running }
  }

  /// What it was asked, once its client has gone.
  func end() -> [String] {
    shutdown(listening.descriptor, Int32(SHUT_RDWR))
    thread.withLock { $0.take() }?.join()
    return asked.withLock { $0 }
  }
}
