import CLinuxShims
package import CratesInterface
import Glibc
import Platform

/// A blocking connection to the daemon. Not thread-safe.
package struct VarlinkClient: ~Copyable {
  private let socket: OpenFile
  private var received: [UInt8] = []
  /// The start of the next message in `received`, and the offset up to which there is no NUL.
  private var start = 0
  private var scanned = 0
  private let lateness: Lateness?
  /// Whether a call was sent and neither a byte of its reply nor a report of lateness has come
  /// since.
  private var isSilent = false

  /// Far above the 8 MiB of parameters that a reply may have.
  package static let replyBytesMost = 64 << 20
  private static let readBytes = 64 << 10

  /// A callback for a reply that is late.
  package struct Lateness {
    /// The time without any byte of a reply before the callback, in milliseconds.
    package var milliseconds: Int32
    package var tell: () -> Void

    package init(milliseconds: Int32, tell: @escaping () -> Void) {
      self.milliseconds = milliseconds
      self.tell = tell
    }
  }

  /// - Parameters:
  ///   - connectMilliseconds: How long to wait for room in the backlog of the daemon's socket.
  ///   - lateness: Called once in each call whose reply doesn't begin in time; the call goes on.
  package init(
    path: String, connectMilliseconds: Int = 3_000, lateness: Lateness? = nil
  ) throws(ClientError) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else {
      throw .pathTooLong(path: path)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = Glibc.socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { throw .systemCall(SystemCallError("socket", "")) }
    let socket = OpenFile(owning: descriptor)
    Self.limitSending(descriptor, to: connectMilliseconds)
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        retrying { connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size)) }
      }
    }
    guard connected == 0 else {
      switch errno {
      case ENOENT, ECONNREFUSED: throw .notRunning(path: path)
      case EAGAIN: throw .crowded(path: path)
      default: throw .systemCall(SystemCallError("connect", path))
      }
    }
    // Sending has no timeout: the daemon may be slow to read.
    Self.limitSending(descriptor, to: 0)
    var user: UInt32 = 0
    var process: Int32 = 0
    guard crated_peer(descriptor, &user, &process) == 0 else {
      throw .systemCall(SystemCallError("getsockopt", path))
    }
    guard user == geteuid() else { throw .notOurs(path: path, user: user) }
    self.socket = socket
    self.lateness = lateness
  }

  /// Sets the timeout for sending, in milliseconds; 0 disables it. It also applies to connecting.
  private static func limitSending(_ descriptor: Int32, to milliseconds: Int) {
    var limit = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Calls a method and waits for its one reply.
  package mutating func reply(to call: Call) throws(ClientError) -> Reply {
    try Self.read(try parameters(to: call), to: call)
  }

  /// Calls a method and returns the parameters of its one reply as they came.
  package mutating func parameters(to call: Call) throws(ClientError) -> JSON {
    try parameters(toMethod: call.method.fullName, call.parameters)
  }

  /// Calls a method of any interface.
  package mutating func parameters(
    toMethod method: String, _ parameters: JSON?
  ) throws(ClientError) -> JSON {
    try send(method, parameters, flag: nil)
    isSilent = true
    return try receive().parameters
  }

  /// Sends a call without waiting. The daemon works on it until `receive` reads the reply.
  package mutating func begin(_ call: Call) throws(ClientError) {
    try send(call.method.fullName, call.parameters, flag: nil)
    isSilent = true
  }

  /// Calls with "more" and passes each reply to `body`. If `body` returns false, the caller must
  /// close the connection, because further replies stay unread in it.
  package mutating func eachReply(
    to call: Call, _ body: (JSON) throws(ClientError) -> Bool
  ) throws(ClientError) {
    try send(call.method.fullName, call.parameters, flag: "more")
    isSilent = true
    while true {
      let reply = try receive()
      guard try body(reply.parameters), reply.continues else { return }
    }
  }

  /// Calls without asking for a reply.
  package func callOneway(_ call: Call) throws(ClientError) {
    try send(call.method.fullName, call.parameters, flag: "oneway")
  }

  package static func read(_ parameters: JSON, to call: Call) throws(ClientError) -> Reply {
    do throws(FieldError) {
      return try Reply(to: call.method, json: parameters)
    } catch {
      throw .unreadable(error.description)
    }
  }

  // MARK: The wire

  private func send(
    _ method: String, _ parameters: JSON?, flag: String?
  ) throws(ClientError) {
    var message: JSON.Object = ["method": .string(method)]
    message["parameters"] = parameters
    if let flag { message[flag] = true }
    var bytes = JSON.object(message).bytes
    guard bytes.count <= Interface.messageBytesMost else { throw .messageTooLong }
    bytes.append(0)
    try send(bytes)
  }

  /// Sends raw bytes, for tests of the daemon.
  package func send(_ bytes: [UInt8]) throws(ClientError) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { rest in
        // Writing to a closed connection must not raise SIGPIPE.
        retrying { Glibc.send(socket.descriptor, rest.baseAddress, rest.count, flagNoSignal) }
      }
      guard count >= 0 else {
        // The daemon may have replied before it closed, for example with TooManyClients.
        if errno == EPIPE || errno == ECONNRESET { return }
        throw .systemCall(SystemCallError("send", "to crated"))
      }
      sent += count
    }
  }

  /// Tells the daemon that no further call follows. Its replies can still be read.
  package func endCalls() {
    shutdown(socket.descriptor, Int32(SHUT_WR))
  }

  /// Reads the next reply.
  ///
  /// - Throws: `refused` for an error reply.
  package mutating func receive() throws(ClientError) -> (parameters: JSON, continues: Bool) {
    let bytes = try nextMessage()
    let message: JSON
    do throws(JSON.ParseError) {
      message = try JSON(parsing: bytes)
    } catch {
      throw .unreadable(error.description)
    }
    guard message.object != nil else { throw .unreadable("not an object") }
    if let name = message["error"]?.string {
      throw .refused(InterfaceError(name: name, parameters: message["parameters"]))
    }
    return (message["parameters"] ?? [:], message["continues"]?.bool ?? false)
  }

  /// The bytes of the next message, without its NUL.
  private mutating func nextMessage() throws(ClientError) -> [UInt8] {
    while true {
      if let end = Self.firstNUL(in: received, from: scanned) {
        defer {
          start = end + 1
          scanned = start
        }
        return Array(received[start..<end])
      }
      received.removeFirst(start)
      start = 0
      scanned = received.count
      guard received.count <= Self.replyBytesMost else { throw .unreadable("too long") }
      try fill()
    }
  }

  private mutating func fill() throws(ClientError) {
    tellWhereLate()
    let before = received.count
    received += [UInt8](repeating: 0, count: Self.readBytes)
    let count = received[before...].withUnsafeMutableBytes { room in
      retrying { recv(socket.descriptor, room.baseAddress, room.count, 0) }
    }
    let code = errno
    received.removeLast(Self.readBytes - max(count, 0))
    switch count {
    case 0: throw .closed
    case 1...: return
    default:
      if code == ECONNRESET { throw .closed }
      throw .systemCall(SystemCallError("recv", "from crated", code: code))
    }
  }
}

extension VarlinkClient {
  private static func firstNUL(in bytes: [UInt8], from start: Int) -> Int? {
    bytes[start...].withUnsafeBytes { rest in
      guard let first = rest.baseAddress, let found = memchr(first, 0, rest.count) else {
        return nil
      }
      return start + first.distance(to: UnsafeRawPointer(found))
    }
  }

  private mutating func tellWhereLate() {
    guard isSilent, let lateness else { return }
    if !isReady(socket.descriptor, for: POLLIN, within: lateness.milliseconds) { lateness.tell() }
    isSilent = false
  }
}

private let flagNoSignal = Int32(MSG_NOSIGNAL)
