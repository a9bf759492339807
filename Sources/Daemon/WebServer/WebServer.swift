import CGzip
import CLinuxShims
package import CratesInterface
import Glibc
package import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
package import Platform
import VarlinkServer

/// Serves the page on a TCP socket and forwards its calls to the daemon. Serves `org.crated.Web` on
/// a unix socket of this user. Both run on one event loop.
package final class WebServer: Sendable {
  private let service: PageService
  private let limits: WebLimits
  private let logger: Logger
  private let group: MultiThreadedEventLoopGroup
  private let guests: NIOLoopBoundBox<Guests>

  /// - Parameters:
  ///   - daemon: The path of the daemon's socket.
  ///   - hosts: The host names under which the page may be requested.
  ///   - file: The file of devices; its directory must exist.
  ///   - environment: The environment in which to look for a player.
  /// - Throws: If the file can't be read, since devices must be neither let in nor forgotten by
  ///   mistake.
  package init(
    daemon: String, hosts: HostRule, file: DeviceFile, limits: WebLimits = WebLimits(),
    environment: [String: String], clock: Clock = .system, logger: Logger
  ) throws(DeviceFile.ReadError) {
    self.limits = limits
    self.logger = logger
    service = PageService(
      limits: limits, daemonPath: daemon,
      playing: WindowPlaying(
        daemonPath: daemon, listPath: file.directory + "/play.m3u8", environment: environment),
      router: Router(hosts: hosts, page: PageFiles(Self.page, packing: Self.packed)),
      door: Door(devices: try file.read(), limits: limits), file: file, clock: clock,
      logger: logger)
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    guests = NIOLoopBoundBox.makeBoxSendingValue(Guests(limits: limits), eventLoop: group.next())
  }

  /// Serves until `stop`. Takes ownership of both sockets, which must listen already.
  ///
  /// - Parameters:
  ///   - control: The socket of `org.crated.Web`.
  ///   - page: The address of the page with a slash at its end.
  ///   - warning: A warning to show with each link, or nil.
  package func start(
    network: Int32, control: Int32, page: String, warning: String? = nil,
    identity: ServiceIdentity
  ) throws(SystemCallError) {
    group.next().execute { _ = crated_name_thread("window") }
    do {
      _ = try bootstrap { try self.welcome($0) }
        .withBoundSocket(network).wait()
      _ = try bootstrap { channel in
        let control = WebControl(
          service: self.service, identity: identity, page: page, warning: warning
        ) {
          self.guests.value.endCalls(of: $0)
        }
        try channel.pipeline.syncOperations.addHandler(
          ControlConnection(bytesMost: self.limits.controlBytes) { control.reply(to: $0) })
      }.withBoundSocket(control).wait()
    } catch {
      throw SystemCallError("listen", "\(error)", code: EIO)
    }
  }

  /// Closes all connections. Blocks, and must not be called on the server's thread.
  ///
  /// - Parameter endsThread: Whether to end the thread, too. That needs libdispatch, whose threads
  ///   trap in a process that can't read /proc; a confined process keeps the thread until its end.
  package func stop(endsThread: Bool = true) {
    let guests = guests
    try? group.next().submit { guests.value.closeAll() }.wait()
    if endsThread { try? group.syncShutdownGracefully() }
  }

  private func bootstrap(
    _ welcome: @escaping @Sendable (any Channel) throws -> Void
  ) -> ServerBootstrap {
    ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: limits.backlog)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            AcceptRest(logger: self.logger) { _ in })
        }
      }
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try welcome(channel) }
      }
  }

  /// Sets a connection up before anything is read from it, on the event loop.
  private func welcome(_ channel: any Channel) throws {
    let most = limits.queueBytes
    let options = channel.syncOptions
    try options?.setOption(.writeBufferWaterMark, value: .init(low: most / 2, high: most))
    // A stream to a phone that vanished may have no data to send, which would detect that.
    try options?.setOption(.socketOption(.so_keepalive), value: 1)
    for (name, value) in [
      (TCP_KEEPIDLE, limits.keepaliveSeconds), (TCP_KEEPINTVL, limits.keepaliveSeconds / 4),
      (TCP_KEEPCNT, 4),
    ] {
      let option = ChannelOptions.Types.SocketOption(
        level: .tcp, name: NIOBSDSocket.Option(rawValue: name))
      try options?.setOption(option, value: Int(value))
    }
    let gate = RequestGate(limits: limits)
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandlers(
      gate, HTTPResponseEncoder(),
      ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)),
      HTTPConnection(
        service: service, gate: gate, guests: guests.value,
        address: Self.address(of: channel)))
  }

  /// Returns the IP address of a client. An IPv4-mapped IPv6 address becomes IPv4.
  private static func address(of channel: any Channel) -> String {
    let address = channel.remoteAddress?.ipAddress ?? ""
    let mapped = "::ffff:"
    return address.hasPrefix(mapped) ? String(address.dropFirst(mapped.count)) : address
  }

  /// Compresses bytes with gzip; returns nil if that is not shorter.
  private static func packed(_ bytes: [UInt8]) -> [UInt8]? {
    var room = [UInt8](repeating: 0, count: bytes.count)
    let length = crated_gzip(bytes, bytes.count, &room, room.count)
    return length == 0 ? nil : Array(room[..<length])
  }
}
