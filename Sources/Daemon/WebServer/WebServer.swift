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

/// Serves the page of the window, and what it asks of the daemon, on a socket of the network; and
/// `org.crated.Web` on one of this user's. One event loop does all of it.
package final class WebServer: Sendable {
  private let service: PageService
  private let limits: WebLimits
  private let logger: Logger
  private let group: MultiThreadedEventLoopGroup
  private let guests: NIOLoopBoundBox<Guests>

  /// - Parameters:
  ///   - daemon: the path of the daemon's socket.
  ///   - hosts: by which names the page may be asked for.
  ///   - environment: where a player is looked for.
  ///   - file: where devices are stored; its directory is there.
  /// - Throws: where the file can't be read: nobody is let in by mistake, and nobody forgotten.
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

  /// Serves until `stop`. Takes over both sockets, which listen already.
  ///
  /// - Parameters:
  ///   - control: the socket of `org.crated.Web`.
  ///   - page: where the page is, with the slash at its end.
  ///   - warning: what is said with each link; nil: nothing.
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

  /// Ends all connections. Blocks; not on the server's thread.
  ///
  /// - Parameter endsThread: whether the thread ends, too. That takes libdispatch, whose threads
  ///   trap in a process that can't read /proc: a confined one leaves its thread to its end.
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

  /// On the event loop, for each connection to the page before anything is read of it.
  private func welcome(_ channel: any Channel) throws {
    let most = limits.queueBytes
    let options = channel.syncOptions
    try options?.setOption(.writeBufferWaterMark, value: .init(low: most / 2, high: most))
    // A phone that went away without a word has a stream that nothing is sent on.
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

  /// The IP address of a client; of an IPv4 one that came to an IPv6 socket, the former.
  private static func address(of channel: any Channel) -> String {
    let address = channel.remoteAddress?.ipAddress ?? ""
    let mapped = "::ffff:"
    return address.hasPrefix(mapped) ? String(address.dropFirst(mapped.count)) : address
  }

  /// Bytes in the format of gzip; nil where that is no shorter.
  private static func packed(_ bytes: [UInt8]) -> [UInt8]? {
    var room = [UInt8](repeating: 0, count: bytes.count)
    let length = crated_gzip(bytes, bytes.count, &room, room.count)
    return length == 0 ? nil : Array(room[..<length])
  }
}
