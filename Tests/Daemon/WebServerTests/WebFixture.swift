import CratesInterface
import Glibc
import LogSupport
import Logging
import Platform
import TestSupport
import Testing
import VarlinkClient
import VarlinkServer

@testable import WebServer

/// A page that is served on a free port, before a daemon that answers as the test says.
final class WebFixture {
  let folder: TemporaryFolder
  let port: Int
  private let daemon: VarlinkServer
  private let server: WebServer
  private static let identity = ServiceIdentity(
    vendor: "Crated", product: "crated", version: "0.0", url: "https://crated.example")

  /// - Parameter answering: is called on the daemon's thread.
  init(
    in given: TemporaryFolder? = nil, limits: WebLimits = WebLimits(),
    answering: @escaping @Sendable (Request) -> Void = WebFixture.echo
  ) throws {
    folder = try given ?? TemporaryFolder()
    daemon = VarlinkServer(identity: Self.identity, answering: answering)
    try daemon.start(path: folder.path("daemon"))
    try folder.makeFolder("state")
    server = try WebServer(
      daemon: folder.path("daemon"), hosts: HostRule(machine: "attic", others: []),
      file: DeviceFile(in: folder.path("state")), limits: limits, environment: [:],
      logger: SaidLines().logger)
    let network = try ListeningSocket.listen(host: "127.0.0.1", port: 0).release()
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(network, $0, &length)
      }
    }
    port = Int(in_port_t(bigEndian: address.sin_port))
    try server.start(
      network: network,
      control: try SocketFile.listen(at: folder.path("control"), backlog: 4).socket,
      page: "http://127.0.0.1:\(port)/", identity: Self.identity)
  }

  deinit {
    server.stop()
    daemon.stop()
  }

  func stopDaemon() { daemon.stop() }
  func stop() { server.stop() }

  /// Answers ListCrates with none, and everything else with an error.
  @Sendable static func echo(_ request: Request) {
    switch request.call {
    case .listCrates: request.answer.reply(.crates([], sequence: 7))
    default: request.answer.fail(.noSuchCrate(name: "Jazz"))
    }
  }

  /// Asks as `crate web` does.
  func control(_ call: WebCall) throws -> JSON {
    let client = try Socket(local: folder.path("control"))
    let message: JSON = [
      "method": .string(call.method.fullName), "parameters": call.parameters,
    ]
    client.send(message.bytes + [0])
    let reply = try client.receive { $0.contains(0) }
    return try JSON(parsing: Array(reply.prefix { $0 != 0 }))
  }

  /// The key of a device that came in by a link.
  func key(name: String = "Phone") throws -> String {
    let link = try #require(try control(.link)["parameters"]?["url"]?.string)
    #expect(link.hasPrefix("http://127.0.0.1:\(port)/#"))
    let code = link.split(separator: "#").last.map(String.init) ?? ""
    let body: JSON = ["code": .string(code), "name": .string(name)]
    let answer = try post("/enter", body)
    return try #require(try JSON(parsing: answer.body)["key"]?.string)
  }

  func get(_ target: String, key: String? = nil) throws -> WebAnswer {
    try connect().ask("GET", target, key: key)
  }

  func post(_ target: String, _ body: JSON, key: String? = nil) throws -> WebAnswer {
    try connect().ask("POST", target, key: key, body: body.bytes)
  }

  func connect() throws -> Socket { try Socket(port: port) }
}

/// What a browser would make of an answer.
struct WebAnswer {
  var status = 0
  var headers: [String: String] = [:]
  var body: [UInt8] = []

  /// Nil as long as it is not whole.
  init?(_ bytes: [UInt8], hasBody: Bool = true) {
    let end = Array("\r\n\r\n".utf8)
    guard let split = bytes.firstRange(of: end) else { return nil }
    let lines = String(decoding: bytes[..<split.lowerBound], as: UTF8.self).split(separator: "\r\n")
    status = Int(lines[0].split(separator: " ")[1]) ?? 0
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts[1].drop { $0 == " " }.description
    }
    body = Array(bytes[split.upperBound...])
    guard hasBody, status != 204, let length = headers["content-length"].flatMap({ Int($0) })
    else { return }
    if body.count < length { return nil }
  }
}

/// A connection to either socket. It gives up reading after a while, so that a server that doesn't
/// answer fails the test.
final class Socket {
  private let file: OpenFile
  private var received: [UInt8] = []

  init(port: Int) throws {
    file = OpenFile(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    try connect(&address)
  }

  init(local path: String) throws {
    file = OpenFile(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    try connect(&address)
  }

  private func connect<Address>(_ address: inout Address) throws {
    var limit = timeval(tv_sec: Patience.seconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(
        file.descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(file.descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
    guard result == 0 else { throw SystemCallError("connect", "") }
  }

  /// False where the other side has closed it.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var left = bytes[...]
    while !left.isEmpty {
      let count = left.withUnsafeBytes { rest in
        retrying { Glibc.send(file.descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL)) }
      }
      guard count > 0 else { return false }
      left = left.dropFirst(count)
    }
    return true
  }

  /// Everything that has come, once there is enough of it, or once the other side has closed.
  func receive(until isEnough: ([UInt8]) -> Bool) throws -> [UInt8] {
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while !isEnough(received) {
      let count = retrying { recv(file.descriptor, &room, room.count, 0) }
      if count < 0, errno == EAGAIN { throw SystemCallError("recv", "nothing came in time") }
      if count <= 0 { break }
      received += room[..<count]
    }
    return received
  }

  /// Whether the other side closes it, within a while.
  func isClosedInTime() throws -> Bool {
    _ = try receive { _ in false }
    return true
  }

  func ask(
    _ method: String, _ target: String, key: String? = nil, headers: [String] = [],
    body: [UInt8]? = nil
  ) throws -> WebAnswer {
    var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1"] + headers
    if let key { lines.append("Authorization: Bearer \(key)") }
    if let body { lines += ["Content-Type: application/json", "Content-Length: \(body.count)"] }
    send(Array((lines + ["", ""]).joined(separator: "\r\n").utf8) + (body ?? []))
    return try answer(hasBody: method != "HEAD")
  }

  /// The next answer. Only one is awaited at a time.
  func answer(hasBody: Bool = true) throws -> WebAnswer {
    let bytes = try receive { WebAnswer($0, hasBody: hasBody) != nil }
    received = []
    return try #require(
      WebAnswer(bytes, hasBody: hasBody), "\(String(decoding: bytes, as: UTF8.self))")
  }
}
