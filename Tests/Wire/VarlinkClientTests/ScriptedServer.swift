import CratesInterface
import Glibc
import Platform
import TestSupport

/// Listens at a socket and says to its one client what the test has written down, whatever it is
/// asked: a server that isn't as it should be.
final class ScriptedServer {
  private let folder: TemporaryFolder
  private let descriptor: Int32
  private let heard = Monitor<[UInt8]>([])
  private var thread: BlockingThread?
  var path: String { folder.path("socket") }

  /// - Parameters:
  ///   - backlog: how many wait to be accepted, less one; nobody is accepted without a script.
  ///   - script: what is done with the connection, which is closed behind it.
  init(backlog: Int32 = 8, _ script: (@Sendable (Int32) -> Void)? = nil) throws {
    folder = try TemporaryFolder()
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: Array(folder.path("socket").utf8))
    }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isBound, listen(descriptor, backlog) == 0 else {
      throw SystemCallError("bind", folder.path("socket"))
    }
    guard let script else { return }
    thread = BlockingThread("server") { [descriptor] in
      let client = accept(descriptor, nil, nil)
      script(client)
      close(client)
    }
  }

  deinit {
    // Nobody may have come.
    shutdown(descriptor, Int32(SHUT_RDWR))
    thread?.join()
    close(descriptor)
  }

  /// The next message of a client, without its NUL; what came where it ended before.
  static func message(_ client: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      // What follows the message is left to the next one.
      let there = recv(client, &room, room.count, Int32(MSG_PEEK))
      guard there > 0 else { return bytes }
      let end = room[..<there].firstIndex(of: 0)
      bytes += room[..<recv(client, &room, end.map { $0 + 1 } ?? there, 0)]
      if end != nil { return bytes.dropLast() }
    }
  }

  static func say(_ text: String, _ client: Int32) { say(Array(text.utf8), client) }

  static func say(_ bytes: [UInt8], _ client: Int32) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }
}
