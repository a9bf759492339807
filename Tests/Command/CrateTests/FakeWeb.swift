import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

/// Listens where `crated web` does, and answers each call as it is told to.
final class FakeWeb {
  private let listening: OpenFile
  private let asked = Monitor<[WebCall]>([])
  private var thread: BlockingThread?

  /// - Parameter answer: to a call; it may throw a `WebError`.
  init(_ home: Home, _ answer: @escaping @Sendable (WebCall) throws -> WebReply) throws {
    let path = "\(try home.folder.makeFolder("run/crated"))/\(WebInterface.name)"
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    listening = OpenFile(owning: descriptor)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && listen(descriptor, 4) == 0)
    thread = BlockingThread("fake web") { [asked] in
      while true {
        let client = accept(descriptor, nil, nil)
        if client < 0 { return }
        let connection = OpenFile(owning: client)
        var received: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 4096)
        while true {
          let count = recv(connection.descriptor, &room, room.count, 0)
          if count <= 0 { break }
          received += room[..<count]
          guard let end = received.firstIndex(of: 0) else { continue }
          let bytes = Self.reply(to: Array(received[..<end]), asked, answer)
          received.removeFirst(end + 1)
          let flags = Int32(truncatingIfNeeded: MSG_NOSIGNAL)
          _ = send(connection.descriptor, bytes, bytes.count, flags)
        }
      }
    }
  }

  deinit {
    shutdown(listening.descriptor, Int32(SHUT_RDWR))
    thread?.join()
  }

  private static func reply(
    to message: [UInt8], _ asked: Monitor<[WebCall]>, _ answer: (WebCall) throws -> WebReply
  ) -> [UInt8] {
    do {
      let message = try JSON(parsing: message)
      let call = try WebCall(
        method: message["method"]?.string ?? "", parameters: message["parameters"])
      asked.withLock { $0.append(call) }
      return (["parameters": try answer(call).json] as JSON).bytes + [0]
    } catch let error as WebError {
      return (["error": .string(error.name), "parameters": error.parameters] as JSON).bytes + [0]
    } catch {
      Issue.record("\(error)")
      return []
    }
  }

  var calls: [WebCall] { asked.withLock { $0 } }
}
