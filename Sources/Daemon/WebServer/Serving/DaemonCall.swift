import CratesInterface
import NIOCore
import NIOPosix

/// A call to the daemon on a connection of its own.
final class DaemonCall: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The outcome of a call.
  enum Event {
    /// A reply, possibly with more to come.
    case reply(DaemonReply)
    /// The daemon is not running, or closed the connection before the last reply.
    case lost
  }

  private let message: [UInt8]
  private let replyBytes: Int
  private var handle: ((Event) -> Void)?
  private var received = ByteBuffer()
  private var searched = 0
  private var context: ChannelHandlerContext?

  private init(message: [UInt8], replyBytes: Int, handle: @escaping (Event) -> Void) {
    self.message = message
    self.replyBytes = replyBytes
    self.handle = handle
  }

  /// Calls the daemon. Must be called on the event loop, on which `handle` is called, too.
  static func start(
    _ method: String, _ parameters: JSON, more: Bool, at path: String, limits: WebLimits,
    on loop: any EventLoop, handle: @escaping (Event) -> Void
  ) -> DaemonCall {
    var members: [(key: String, value: JSON)] = [
      ("method", .string(method)), ("parameters", parameters),
    ]
    if more { members.append(("more", true)) }
    let call = DaemonCall(
      message: JSON.object(JSON.Object(members)).bytes + [0], replyBytes: limits.replyBytes,
      handle: handle)
    let bound = NIOLoopBound(call, eventLoop: loop)
    ClientBootstrap(group: loop)
      .connectTimeout(.milliseconds(limits.connectMilliseconds))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(bound.value)
        }
      }
      .connect(unixDomainSocketPath: path)
      .whenFailure { _ in bound.value.finish(.lost) }
    return call
  }

  /// Cancels the call.
  func cancel() {
    handle = nil
    context?.close(promise: nil)
  }

  /// Starts or stops reading. Unread replies wait in the daemon.
  func setReading(_ reads: Bool) {
    _ = context?.channel.setOption(.autoRead, value: reads)
  }

  private func finish(_ event: Event) {
    let handle = handle
    self.handle = nil
    context?.close(promise: nil)
    handle?(event)
  }

  func channelActive(context: ChannelHandlerContext) {
    self.context = context
    // The call was cancelled while it was connecting.
    guard handle != nil else { return context.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: message)), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var buffer = unwrapInboundIn(data)
    received.writeBuffer(&buffer)
    while handle != nil, let end = endOfReply() {
      let bytes = received.readBytes(length: end) ?? []
      received.moveReaderIndex(forwardBy: 1)
      searched = 0
      guard let reply = DaemonReply(bytes) else { return finish(.lost) }
      if reply.continues { handle?(.reply(reply)) } else { finish(.reply(reply)) }
    }
    received.discardReadBytes()
    if received.readableBytes > replyBytes { finish(.lost) }
  }

  /// Returns the position of the NUL that ends the next reply. Continues the former search.
  private func endOfReply() -> Int? {
    let view = received.readableBytesView
    guard let end = view[view.startIndex.advanced(by: searched)...].firstIndex(of: 0) else {
      searched = view.count
      return nil
    }
    return end - view.startIndex
  }

  func channelInactive(context: ChannelHandlerContext) {
    self.context = nil
    finish(.lost)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { finish(.lost) }
}

/// A reply of the daemon as received, without its NUL.
struct DaemonReply {
  let message: [UInt8]
  /// The encoded parameters; nil for an error.
  let parameters: [UInt8]?
  let continues: Bool

  private static let start = Array("{\"parameters\":".utf8)
  private static let lastEnd = Array("}".utf8)
  private static let continuedEnd = Array(",\"continues\":true}".utf8)

  /// Returns nil if the message is not a reply.
  init?(_ message: [UInt8]) {
    self.message = message
    // A fast path for the daemon's own encoding: the parameters, which may be megabytes, aren't
    // parsed.
    if message.starts(with: Self.start) {
      continues = message.suffix(Self.continuedEnd.count).elementsEqual(Self.continuedEnd)
      let end = continues ? Self.continuedEnd : Self.lastEnd
      guard message.count >= Self.start.count + 2 + end.count else { return nil }
      parameters = Array(message[Self.start.count..<message.count - end.count])
      return
    }
    guard let reply = (try? JSON(parsing: message))?.object else { return nil }
    continues = reply["continues"]?.bool ?? false
    parameters = reply["error"] == nil ? (reply["parameters"] ?? .object(JSON.Object())).bytes : nil
  }
}
