import CratesInterface
import Glibc
import LogSupport
import Logging
import TestSupport
import Testing
import VarlinkServer

/// Whoever wonders why a client lost its connection finds it in the log.
@Suite("What the server says", .limited)
struct SaidTests {
  private let folder: TemporaryFolder
  private let said = SaidLines(.info)
  private var path: String { folder.path("socket") }

  init() throws { folder = try TemporaryFolder() }

  private func server(
    user: UInt32 = geteuid(), answering: @escaping @Sendable (Request) -> Void = ServerFixture.echo,
    _ change: (inout ServerLimits) -> Void
  ) throws -> VarlinkServer {
    var limits = ServerLimits()
    change(&limits)
    let server = VarlinkServer(
      limits: limits,
      identity: ServiceIdentity(vendor: "", product: "", version: "", url: ""),
      logger: said.logger, user: user, answering: answering)
    try server.start(path: path)
    return server
  }

  @Test("why a client is let go of, once")
  func dropped() throws {
    let text = RawClient.echo("text").message
    for (change, user, sent, line) in [
      ({ _ in }, 0, [1, 0], "info: a client sent what is not a Varlink call; dropped it"),
      (
        { $0.messageBytes = 9 }, 0, [UInt8](repeating: 0x20, count: 10),
        "info: a client's message is too long; dropped it"
      ),
      (
        { $0.messageMilliseconds = 1 }, 0, [0x20],
        "info: a client did not finish its message in time; dropped it"
      ),
      (
        { ($0.readAheadBytes, $0.allMessagesBytes) = (8, 8) }, 0,
        [UInt8](repeating: 0x20, count: 9),
        "info: unfinished messages take too much room; dropped one"
      ),
      (
        { $0.clients = 0 }, 0, text, "info: a client was turned away: there are too many"
      ),
      ({ _ in }, 1, text, "warning: refused a connection of another user"),
    ] as [((inout ServerLimits) -> Void, UInt32, [UInt8], String)] {
      let server = try server(user: geteuid() + user, change)
      let client = try RawClient(path: path)
      client.send(sent)
      while case .message = client.receive() {}
      server.stop()
      #expect(said.take() == [line])
    }
  }

  @Test("whose queue was too long, and that answers took too long at the end")
  func queues() throws {
    let waiting = Waiting()
    let server = try server(answering: waiting.take) {
      ($0.allQueuesBytes, $0.drainedBytes, $0.stopMilliseconds) = (1, 0, 1)
    }
    let client = try RawClient(path: path)
    client.send(RawClient.echo("all", flags: ["more": true]))
    let answer = try waiting.next().answer
    let gone = Happening()
    answer.onAbandon(gone.happen)
    answer.reply(.text(String(repeating: "x", count: 4 << 20), sequence: 1), continues: true)
    #expect(gone.wait())
    #expect(
      said.take() == [
        "info: the queues of all clients are too long; dropped one that is most behind"
      ])
    let other = try RawClient(path: path)
    other.sendEcho("never answered")
    let request = try waiting.next()
    server.stop()
    #expect(request.answer.isAbandoned)
    #expect(said.take() == ["info: closing connections whose answers take too long"])
  }

  @Test("that its socket was gone, and is there again or can't be")
  func socket() throws {
    let server = try server { $0.retryMilliseconds = 1 }
    // It is watched from a little after its beginning on, and looked for then, too.
    unlink(path)
    said.wait(for: "notice: the socket was gone; made it again")
    _ = said.take()
    let file = try folder.write("no socket", to: "file")
    #expect(rename(file, path) == 0)
    said.wait(for: "error: the socket is gone")
    unlink(path)
    said.wait(for: "notice: the socket was gone; made it again")
    server.stop()
    #expect(Set(said.take()).count == 2)
  }
}
