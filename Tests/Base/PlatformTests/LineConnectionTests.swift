import Glibc
import Platform
import TestSupport
import Testing

@Suite("A connection that talks in lines", .limited)
struct LineConnectionTests {
  /// Descriptors of a connection and of the server's end of it.
  private func pair() throws -> (connection: Int32, server: Int32) {
    var ends: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
    return (ends[0], ends[1])
  }

  private func write(_ text: String, to server: borrowing OpenFile) {
    let bytes = Array(text.utf8)
    let flags = Int32(truncatingIfNeeded: MSG_NOSIGNAL)
    #expect(send(server.descriptor, bytes, bytes.count, flags) == bytes.count)
  }

  private let soon = { Clock.system.monotonic() + 1_000_000 }
  private let late = { Clock.system.monotonic() + 600_000_000_000 }

  @Test("lines are given one by one, in whatever pieces they come")
  func lines() throws {
    let ends = try pair()
    var connection = LineConnection(OpenFile(owning: ends.connection))
    let server = OpenFile(owning: ends.server)
    write("one\n\ntwo\nth", to: server)
    var lines = (0..<3).map { _ in connection.line(until: late()) }
    lines.append(connection.line(until: soon()))
    write("ree\n", to: server)
    lines.append(connection.line(until: late()))
    #expect(lines == ["one", "", "two", nil, "three"].map { $0.map { Array($0.utf8) } })
  }

  @Test("a line that is too long is none, nor is one whose end never comes")
  func noLines() throws {
    let ends = try pair()
    var connection = LineConnection(OpenFile(owning: ends.connection))
    let server = OpenFile(owning: ends.server)
    let long = String(repeating: "x", count: LineConnection.longestLine + 1)
    for part in 0..<8 {
      write(String(long.prefix(long.count / 8 + (part == 0 ? 8 : 0))), to: server)
    }
    let none = connection.line(until: late())
    #expect(none == nil)
    let others = try pair()
    var ended = LineConnection(OpenFile(owning: others.connection))
    do {
      let end = OpenFile(owning: others.server)
      write("half", to: end)
    }
    let half = ended.line(until: late())
    #expect(half == nil)
  }

  @Test("a line that is as long as one may be is given whole, behind another one too")
  func longestLine() throws {
    #expect(LineConnection.longestLine == 64 << 10)
    let long = String(repeating: "x", count: LineConnection.longestLine)
    for first in ["", "first\n"] {
      let ends = try pair()
      var connection = LineConnection(OpenFile(owning: ends.connection))
      let server = OpenFile(owning: ends.server)
      write(first, to: server)
      for _ in 0..<4 { write(String(long.prefix(long.count / 4)), to: server) }
      if !first.isEmpty {
        let line = connection.line(until: late())
        #expect(line == Array("first".utf8))
      }
      // All of it but its end, which comes once it was waited for.
      let none = connection.line(until: soon())
      #expect(none == nil)
      write("\nlast\n", to: server)
      let whole = connection.line(until: late())
      #expect(whole == Array(long.utf8))
      let last = connection.line(until: late())
      #expect(last == Array("last".utf8))
    }
  }

  @Test("what is more than a socket holds is sent piece by piece to one who reads slowly")
  func large() throws {
    let ends = try pair()
    let connection = LineConnection(OpenFile(owning: ends.connection))
    let bytes = (0..<(4 << 20)).map { UInt8(truncatingIfNeeded: $0 / 251) }
    let found = Monitor<[UInt8]>([])
    let reader = BlockingThread("reader") {
      let server = OpenFile(owning: ends.server)
      var room = [UInt8](repeating: 0, count: 100_000)
      var polled = pollfd(fd: server.descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&polled, 1, -1) == 1 {
        let count = recv(server.descriptor, &room, room.count, 0)
        if count <= 0
          || found.withLock({
            $0 += room[..<count]; return $0.count
          }) == 4 << 20
        {
          return
        }
      }
    }
    let isSent = connection.send(bytes, until: late())
    #expect(isSent)
    reader.join()
    #expect(found.withLock { $0 == bytes })
  }

  @Test("all is sent to one who reads, and what nobody takes in time is told")
  func sending() throws {
    let ends = try pair()
    let connection = LineConnection(OpenFile(owning: ends.connection))
    let server = OpenFile(owning: ends.server)
    let isSent = connection.send(Array("list\n".utf8), until: late())
    let isNothingSent = connection.send([], until: late())
    #expect(isSent && isNothingSent)
    var room = [UInt8](repeating: 0, count: 64)
    #expect(recv(server.descriptor, &room, room.count, 0) == 5)
    #expect(String(decoding: room.prefix(5), as: UTF8.self) == "list\n")
    let isTaken = connection.send([UInt8](repeating: 1, count: 8 << 20), until: soon())
    #expect(!isTaken)
  }
}
