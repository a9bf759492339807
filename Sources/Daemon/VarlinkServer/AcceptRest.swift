package import Logging
package import NIOCore

/// Pauses the listening socket when a connection can't be accepted, for example for lack of
/// descriptors or memory.
package final class AcceptRest: ChannelInboundHandler {
  package typealias InboundIn = any Channel

  /// The pause. Without it the event loop would retry in a busy loop.
  private static let rest = TimeAmount.milliseconds(100)

  private let logger: Logger
  private let lost: @Sendable (any Channel) -> Void
  private var want = Want()

  /// The state of failures to accept.
  struct Want {
    private var isResting = false
    /// Whether the failure was logged. A lasting one is logged once.
    private var hasComplained = false

    /// Records that a connection was accepted.
    mutating func ends() { hasComplained = false }

    /// Records a failure. Returns whether to log it, and whether to begin a pause.
    mutating func isFelt() -> (complains: Bool, rests: Bool) {
      defer { (isResting, hasComplained) = (true, true) }
      return (!hasComplained, !isResting)
    }

    /// Records the end of a pause.
    mutating func restEnds() { isResting = false }
  }

  /// - Parameter lost: Called on the event loop when the socket was closed.
  package init(logger: Logger, lost: @escaping @Sendable (any Channel) -> Void) {
    self.logger = logger
    self.lost = lost
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    want.ends()
    context.fireChannelRead(data)
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let (channel, eventLoop) = (context.channel, context.eventLoop)
    let rested = NIOLoopBound(self, eventLoop: eventLoop)
    rest(because: error) { accepts in
      _ = channel.setOption(.autoRead, value: accepts)
    } later: { end in
      eventLoop.scheduleTask(in: Self.rest) { end(rested.value) }
    }
  }

  /// Logs a failure and begins a pause, unless that was done already.
  ///
  /// - Parameters:
  ///   - accepts: Enables or disables accepting.
  ///   - later: Schedules its argument for the end of the pause.
  func rest(
    because error: any Error, accepts: @escaping @Sendable (Bool) -> Void,
    later: (@escaping @Sendable (AcceptRest) -> Void) -> Void
  ) {
    let (complains, rests) = want.isFelt()
    if complains {
      logger.warning("a connection cannot be accepted", metadata: ["reason": "\(error)"])
    }
    guard rests else { return }
    accepts(false)
    later { rest in
      rest.want.restEnds()
      accepts(true)
    }
  }

  package func channelInactive(context: ChannelHandlerContext) {
    lost(context.channel)
    context.fireChannelInactive()
  }
}
