import CratesInterface
import Glibc
import Platform
import TestSupport
import Testing
import VarlinkServer

/// A server on a socket in a directory of its own, both gone at the end of the test.
final class ServerFixture {
  let directory: String
  let server: VarlinkServer
  var path: String { directory + "/socket" }

  init(
    limits: ServerLimits = ServerLimits(), user: UInt32 = geteuid(), clock: Clock = .system,
    answering: @escaping @Sendable (Request) -> Void = ServerFixture.echo
  ) throws {
    directory = try Self.temporaryDirectory()
    server = VarlinkServer(
      limits: limits,
      identity: ServiceIdentity(
        vendor: "Crated", product: "crated", version: "0.0", url: "https://crated.example"),
      user: user, clock: clock, answering: answering)
    try server.start(path: path)
  }

  deinit {
    server.stop()
    Self.remove(directory)
  }

  func connect() throws -> RawClient { try RawClient(path: path) }

  /// The connection that is possible within a while.
  static func connectInTime(to path: String) throws -> RawClient {
    var client: RawClient?
    _ = happensInTime {
      client = try? RawClient(path: path)
      return client != nil
    }
    return try client ?? RawClient(path: path)
  }

  /// Whether nobody accepts connections there any more, within a while.
  static func isRefusedInTime(at path: String) -> Bool {
    happensInTime {
      guard let descriptor = try? RawListener.connect(to: path) else { return true }
      close(descriptor)
      return false
    }
  }

  static func temporaryDirectory() throws -> String {
    var name = Array("/tmp/crated-server-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw SystemCallError("mkdtemp", "/tmp") }
    return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes a directory with what tests put into it: nothing deeper than one level.
  static func remove(_ directory: String) {
    guard let listing = opendir(directory) else { return }
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { _ = Glibc.remove("\(directory)/\(name)") }
    }
    closedir(listing)
    rmdir(directory)
  }

  /// Answers ReadText with the crate it was asked for, and everything else with an error.
  @Sendable static func echo(_ request: Request) {
    switch request.call {
    case .readText(let crate, _, _): request.answer.reply(.text(crate ?? "", sequence: 1))
    default: request.answer.fail(.noSuchPath(path: "\(request.call)"))
    }
  }
}

/// A client that sends what bytes it likes. Reading gives up after a while, so that a server that
/// never answers fails a test instead of stopping it.
final class RawClient: Sendable {
  let descriptor: Int32
  private let received = Monitor<[UInt8]>([])

  init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard connected == 0 else { throw SystemCallError("connect", path) }
    var limit = timeval(tv_sec: Patience.seconds, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// False where the server has closed the connection.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  func send(_ message: JSON) -> Bool { send(message.message) }

  /// A call that `ServerFixture.echo` answers with the same text.
  func sendEcho(_ text: String) { send(RawClient.echo(text)) }

  static func echo(_ text: String, flags: JSON.Object = [:]) -> JSON {
    var message = flags
    message["method"] = "org.crated.Crates.ReadText"
    message["parameters"] = ["crate": .string(text)]
    return .object(message)
  }

  func endCalls() { shutdown(descriptor, Int32(SHUT_WR)) }

  enum Received: Equatable {
    case message(JSON)
    /// The server has closed the connection.
    case end
    case nothing

    var error: String? {
      guard case .message(let message) = self else { return nil }
      return message["error"]?.string
    }
    var sequence: Int? {
      guard case .message(let message) = self else { return nil }
      return message["parameters"]?["sequence"]?.integer
    }
    var text: String? {
      guard case .message(let message) = self else { return nil }
      return message["parameters"]?["text"]?.string
    }
  }

  func receive() -> Received {
    received.withLock { received in
      while true {
        if let end = received.firstIndex(of: 0) {
          let bytes = Array(received[..<end])
          received.removeFirst(end + 1)
          guard let message = try? JSON(parsing: bytes) else { return .nothing }
          return .message(message)
        }
        var room = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &room, room.count, 0)
        if count == 0 || (count < 0 && errno == ECONNRESET) { return .end }
        guard count > 0 else { return .nothing }
        received.append(contentsOf: room[..<count])
      }
    }
  }
}

/// Requests that a test answers when it likes.
final class Waiting: Sendable {
  private let requests = Monitor<[Request]>([])

  @Sendable func take(_ request: Request) { requests.withLock { $0.append(request) } }

  /// The next request.
  func next() throws -> Request {
    let deadline = Patience.end
    let request = requests.wait(until: deadline) { $0.isEmpty ? nil : $0.removeFirst() }
    return try #require(request)
  }

  var isEmpty: Bool { requests.withLock(\.isEmpty) }
}

/// Something that happens once.
final class Happening: Sendable {
  private let happened = Monitor(false)
  @Sendable func happen() { happened.withLock { $0 = true } }
  func wait() -> Bool {
    let deadline = Patience.end
    return happened.wait(until: deadline) { $0 ? true : nil } ?? false
  }
}

extension JSON {
  /// The message as it goes over the wire.
  var message: [UInt8] { bytes + [0] }
}
