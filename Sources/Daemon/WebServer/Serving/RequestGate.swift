import NIOCore

/// Limits requests before they are parsed: the size of the head, and the time for the request and
/// before it.
final class RequestGate: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let limits: WebLimits
  private var state = State.idle
  private var timer: Scheduled<Void>?
  private var context: ChannelHandlerContext?

  private enum State {
    /// Nothing of the next request has arrived.
    case idle
    /// The number of bytes of the head so far, and of line ends at its end.
    case head(bytes: Int, lineEnds: Int)
    case body
    case answering
  }

  init(limits: WebLimits) {
    self.limits = limits
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    stopTimer()
    self.context = nil
  }

  func channelActive(context: ChannelHandlerContext) {
    // A client has to send a request after it has connected.
    startTimer(limits.requestMilliseconds)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    stopTimer()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .idle = state {
      state = .head(bytes: 0, lineEnds: 0)
      startTimer(limits.requestMilliseconds)
    }
    guard take(unwrapInboundIn(data)) else {
      context.fireErrorCaught(RequestFault.headTooLong)
      return
    }
    context.fireChannelRead(data)
  }

  /// Counts the bytes of a head. Returns false if it is too long.
  private func take(_ buffer: ByteBuffer) -> Bool {
    guard case .head(var bytes, var lineEnds) = state else { return true }
    for byte in buffer.readableBytesView {
      bytes += 1
      if bytes > limits.headBytes { return false }
      switch byte {
      case UInt8(ascii: "\n"): lineEnds += 1
      case UInt8(ascii: "\r"): break
      default: lineEnds = 0
      }
      // Empty lines before a request are ignored.
      if lineEnds == 2, bytes > 4 {
        state = .body
        return true
      }
    }
    state = .head(bytes: bytes, lineEnds: lineEnds)
    return true
  }

  // MARK: Notifications from the connection

  /// Called when the request is complete.
  func requestHasEnded() {
    state = .answering
    startTimer(limits.responseMilliseconds)
  }

  /// Called for a stream, which has no timeout.
  func responseIsStream() { stopTimer() }

  func responseHasEnded() {
    state = .idle
    startTimer(limits.idleMilliseconds)
  }

  private func startTimer(_ milliseconds: Int64) {
    stopTimer()
    guard let context else { return }
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    timer = context.eventLoop.scheduleTask(in: .milliseconds(milliseconds)) {
      bound.value.close(promise: nil)
    }
  }

  private func stopTimer() {
    timer?.cancel()
    timer = nil
  }
}

/// A reason to refuse a request before it is answered.
enum RequestFault: Error {
  case headTooLong
}
