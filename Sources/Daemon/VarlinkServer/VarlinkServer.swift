import CLinuxShims
package import CratesInterface
import Glibc
package import Logging
import NIOCore
import NIOPosix
package import Platform

/// Serves org.crated.Crates on a unix socket to clients of this user. One event loop thread reads
/// the calls. It also sends what the answering threads can't send at once.
package final class VarlinkServer: Sendable {
  private let limits: ServerLimits
  private let identity: ServiceIdentity
  private let user: UInt32
  private let logger: Logger
  private let clock: Clock
  private let answering: @Sendable (Request) -> Void
  private let clients: Clients
  private let parsing = LongMessages()
  private let state = Monitor(State())

  private struct State {
    var group: MultiThreadedEventLoopGroup?
    var channel: (any Channel)?
    var file: SocketFile?
    var watch: SocketWatch?
  }

  /// - Parameters:
  ///   - logger: Logs nothing by default.
  ///   - user: The user that may connect.
  ///   - answering: Called on the server's thread, for one call of a client at a time. Must not
  ///     block.
  package init(
    limits: ServerLimits = ServerLimits(), identity: ServiceIdentity,
    logger: Logger = Logger(label: Interface.name) { _ in SwiftLogNoOpLogHandler() },
    user: UInt32 = geteuid(), clock: Clock = .system,
    answering: @escaping @Sendable (Request) -> Void
  ) {
    self.limits = limits
    self.identity = identity
    self.user = user
    self.logger = logger
    self.clock = clock
    self.answering = answering
    self.clients = Clients(limits: limits)
  }

  /// Listens at a path of at most 103 bytes. Replaces a stale socket; the caller must hold the lock
  /// of the store. If the socket file is removed, it is made again.
  package func start(path: String) throws(ServerError) {
    try listen(at: path)
    do throws(SystemCallError) {
      let watch = try SocketWatch(
        directory: SocketFile.directory(of: path), retryMilliseconds: limits.retryMilliseconds
      ) { [weak self] in
        self?.restoreSocket() ?? true
      }
      state.withLock { $0.watch = watch }
    } catch {
      // Clients are served without the watch.
      logger.warning("cannot watch over the socket", metadata: ["reason": "\(error)"])
    }
  }

  private func listen(at path: String) throws(ServerError) {
    let (file, socket) = try SocketFile.listen(at: path, backlog: limits.backlog)
    do throws(ServerError) {
      try serve(socket)
    } catch {
      file.remove()
      throw error
    }
    state.withLock { $0.file = file }
  }

  /// Makes the socket again if its file was removed. Returns whether the file exists at the end.
  private func restoreSocket() -> Bool {
    let (file, channel) = state.withLock { ($0.file, $0.channel) }
    guard let file, !file.isThere, !clients.isClosed else { return true }
    do throws(ServerError) {
      try listen(at: file.path)
    } catch {
      logger.error("the socket is gone", metadata: ["reason": "\(error)"])
      return false
    }
    logger.notice("the socket was gone; made it again", metadata: ["path": "\(file.path)"])
    // The old socket has no name any more.
    channel?.close(promise: nil)
    return true
  }

  /// Handles an error after which the socket can't be used. Its file is removed, so that the watch
  /// makes the socket again.
  private func relisten(for channel: any Channel) {
    guard let file = state.withLock({ $0.channel === channel ? $0.file : nil }) else { return }
    logger.error("the socket failed", metadata: ["path": "\(file.path)"])
    file.remove()
  }

  /// Listens at a socket that systemd made, which remains when the server stops. Takes ownership of
  /// the descriptor.
  package func start(inheriting descriptor: Int32) throws(ServerError) {
    try SocketFile.adopt(descriptor, backlog: limits.backlog)
    try serve(descriptor)
  }

  /// Runs `body` periodically on the server's thread until the server stops. It does not run while
  /// that thread is stuck. The server must have been started.
  package func `repeat`(every nanoseconds: Int64, _ body: @escaping @Sendable () -> Void) {
    let delay = TimeAmount.nanoseconds(nanoseconds)
    state.withLock(\.group)?.next().scheduleRepeatedTask(initialDelay: delay, delay: delay) { _ in
      body()
    }
  }

  /// Refuses further calls, waits for answers for at most `ServerLimits.stopMilliseconds`, and
  /// removes the socket. Subscriptions end at once. Blocks, and must not be called on the server's
  /// thread. A stopped server can't be started again.
  package func stop() {
    clients.close()
    state.withLock(\.watch)?.stop()
    let stopped = state.withLock { state -> State in
      defer { state = State() }
      return state
    }
    stopped.file?.remove()
    try? stopped.channel?.close().wait()
    for outlet in clients.all { outlet.tell(.stop) }
    let deadline = clock.monotonic() + limits.stopMilliseconds * 1_000_000
    if !clients.waitUntilGone(until: deadline) {
      logger.info("closing connections whose answers take too long")
      for outlet in clients.all { outlet.close() }
    }
    parsing.stop()
    try? stopped.group?.syncShutdownGracefully()
  }

  private func serve(_ socket: Int32) throws(ServerError) {
    let group = state.withLock { state in
      let group = state.group ?? Self.eventLoop()
      state.group = group
      return group
    }
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let rest = AcceptRest(logger: self.logger) { [weak self] in self?.relisten(for: $0) }
          try channel.pipeline.syncOperations.addHandler(rest)
        }
      }
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try self.welcome(channel) }
      }
    do {
      let channel = try bootstrap.withBoundSocket(socket).wait()
      state.withLock { $0.channel = channel }
      // SwiftNIO called listen(2) again with a fixed backlog of 128.
      guard Glibc.listen(socket, limits.backlog) == 0 else {
        throw SystemCallError("listen", "of the socket")
      }
    } catch {
      throw .eventLoop("\(error)")
    }
  }

  private static func eventLoop() -> MultiThreadedEventLoopGroup {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    // Otherwise `top -H` would show SwiftNIO's name.
    group.next().execute { _ = crated_name_thread("clients") }
    return group
  }

  /// Checks a connection before anything is read from it, on the event loop. Throwing closes it.
  private func welcome(_ channel: any Channel) throws {
    let pipeline = channel.pipeline.syncOperations
    let found = try pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
      descriptor -> UInt32? in
      var peer = UInt32()
      var process = Int32()
      return crated_peer(descriptor, &peer, &process) == 0 ? peer : nil
    }
    let peer: UInt32? = found ?? nil
    guard !clients.isClosed else { throw ChannelError.ioOnClosedChannel }
    guard let peer, peer == user else {
      logger.warning("refused a connection of another user", metadata: ["uid": .peer(peer)])
      throw InterfaceError.permissionDenied
    }
    let outlet = Outlet(wire: ChannelWire(channel: channel), limits: limits, clock: clock)
    let (number, evicted) = clients.arrive(outlet)
    evicted?.tell(.turnAway)
    try pipeline.addHandler(
      Connection(
        outlet: outlet, clients: clients, number: number, identity: identity, logger: logger,
        parsing: parsing, answering: answering))
  }
}

extension Logger.MetadataValue {
  fileprivate static func peer(_ user: UInt32?) -> Self {
    user.map { "\($0)" } ?? "unknown"
  }
}
