package import Logging
package import NIOCore

/// What the listening socket does when a connection can't be accepted, for want of descriptors or
/// memory, say.
package final class AcceptRest: ChannelInboundHandler {
  package typealias InboundIn = any Channel

  /// Asked again at once, the kernel would say the same, with all the processor's time.
  private static let rest = TimeAmount.milliseconds(100)

  private let logger: Logger
  private let lost: @Sendable (any Channel) -> Void
  private var want = Want()

  /// What is known of connections that can't be accepted.
  struct Want {
    private var isResting = false
    /// Whether the want was told of: a lasting one takes one line.
    private var hasComplained = false

    /// A connection was accepted.
    mutating func ends() { hasComplained = false }

    /// One could not be: whether that is to be told of, and whether a rest is to begin.
    mutating func isFelt() -> (complains: Bool, rests: Bool) {
      defer { (isResting, hasComplained) = (true, true) }
      return (!hasComplained, !isResting)
    }

    /// It is tried again.
    mutating func restEnds() { isResting = false }
  }

  /// - Parameter lost: is called when the socket was closed, on the event loop.
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

  /// Tells of a want and rests, unless that is done already.
  ///
  /// - Parameters:
  ///   - accepts: is told whether connections are to be accepted.
  ///   - later: has its argument called when the rest is over.
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
