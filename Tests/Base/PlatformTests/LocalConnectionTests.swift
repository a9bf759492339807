import Glibc
import Platform
import TestSupport
import Testing

@Suite("A connection to a local socket", .limited)
struct LocalConnectionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private let late = { Clock.system.monotonic() + 600_000_000_000 }

  /// What a listening socket at that address is sent by a connection to a path.
  private func sent(to path: [UInt8], listeningAt address: String) throws -> String? {
    let listening = try ScratchSocket(SOCK_STREAM, boundTo: address)
    try #require(listen(listening.descriptor, 1) == 0)
    guard var connection = LineConnection(local: path) else { return nil }
    let server = OpenFile(owning: accept(listening.descriptor, nil, nil))
    let isSent = connection.send(Array("list\n".utf8), until: late())
    let answer = Array("OK\n".utf8)
    let flags = Int32(truncatingIfNeeded: MSG_NOSIGNAL)
    let count = send(server.descriptor, answer, answer.count, flags)
    let line = connection.line(until: late())
    #expect(isSent && count == 3 && line == Array("OK".utf8))
    var room = [UInt8](repeating: 0, count: 64)
    let received = recv(server.descriptor, &room, room.count, 0)
    return String(decoding: room.prefix(max(0, received)), as: UTF8.self)
  }

  @Test("a path is found, as long as a socket's path may be, and a name without a path")
  func reached() throws {
    let short = folder.path("socket")
    // A NUL ends it.
    let long = short + String(repeating: "x", count: 107 - short.utf8.count)
    for path in [short, long] {
      #expect(try sent(to: Array(path.utf8), listeningAt: path) == "list\n")
    }
    let name = "crated-test-\(getpid())-\(folder.path)"
    for name in [name, name + String(repeating: "x", count: 106 - name.utf8.count)] {
      #expect(try sent(to: [0] + Array(name.utf8), listeningAt: "@" + name) == "list\n")
    }
    #expect(try sent(to: [0] + Array((name + "x").utf8), listeningAt: "@" + name) == nil)
    #expect(try sent(to: [0] + Array(name.utf8), listeningAt: "@" + name + "x") == nil)
  }

  @Test("where nobody listens, or nobody can, there is no connection")
  func nobody() throws {
    let path = folder.path("socket")
    #expect(try sent(to: Array(path.utf8) + [0, 0x61], listeningAt: path) == nil)
    for bytes in [
      [], [0], Array(path.utf8), Array("\(path)-other".utf8),
      Array((path + String(repeating: "x", count: 108 - path.utf8.count)).utf8),
      [UInt8](repeating: 0x61, count: 300),
    ] {
      let isThere = LineConnection(local: bytes) != nil
      #expect(!isThere, "\(bytes.count) bytes")
    }
  }
}
