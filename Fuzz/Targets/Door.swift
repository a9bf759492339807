import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Platform

@testable import WebServer

/// What a stranger sends over one connection, whole and in two pieces: some answers, none of which
/// tells anything of the devices that are in.
func fuzzDoor(_ input: [UInt8]) {
  answer(to: [input[...]])
  let half = input.count / 2
  answer(to: [input[..<half], input[half...]])
}

private let secret = "the tablet in the attic"
/// What a stranger may be answered, and nothing else: 503 and 507 are for those who are in.
private let statuses: Set<String> = [
  "200", "400", "401", "403", "404", "405", "410", "413", "415", "421", "429", "431",
]

private func answer(to pieces: [ArraySlice<UInt8>]) {
  let limits = WebLimits()
  let device = Device(name: secret, since: 1, digest: Secrets.digest(of: "a key"))
  let service = PageService(
    limits: limits, daemonPath: "/nonexistent",
    playing: WindowPlaying(
      daemonPath: "/nonexistent", listPath: "/nonexistent", environment: [:]),
    router: Router(
      hosts: HostRule(machine: "attic", others: []),
      page: PageFiles(["index.html": [0x68], "app.js": [0x6A]], packing: { [0x7A] + $0 })),
    door: Door(devices: [device], limits: limits), file: DeviceFile(in: "/nonexistent"),
    clock: .system, logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() })
  let gate = RequestGate(limits: limits)
  let channel = EmbeddedChannel()
  let connection = HTTPConnection(
    service: service, gate: gate, guests: Guests(limits: limits), address: "192.0.2.1")
  do {
    try channel.pipeline.syncOperations.addHandlers([
      gate, HTTPResponseEncoder(),
      ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)), connection,
    ])
    try channel.connect(to: SocketAddress(unixDomainSocketPath: "/nonexistent")).wait()
    for piece in pieces where channel.isActive {
      _ = try? channel.writeInbound(ByteBuffer(bytes: piece))
    }
    var said: [UInt8] = []
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
      said += buffer.readableBytesView
    }
    check(said)
  } catch {
    fatalError("an embedded channel fails: \(error)")
  }
  _ = try? channel.finish(acceptAlreadyClosed: true)
}

private func check(_ said: [UInt8]) {
  if said.isEmpty { return }
  let text = String(decoding: said, as: UTF8.self)
  require(text.hasPrefix("HTTP/1.1 "), "an answer is HTTP")
  require(!text.contains(secret), "no name of a device is told")
  for line in text.split(separator: "\r\n") where line.hasPrefix("HTTP/1.1 ") {
    require(statuses.contains(String(line.dropFirst(9).prefix(3))), "a stranger is refused")
  }
}
