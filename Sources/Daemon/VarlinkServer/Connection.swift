import CratesInterface
import Glibc
import Logging
import NIOCore

/// The connection of one client. Splits its input into messages, which are answered one after
/// another. Lives on the event loop of its channel; only its `Outlet` is used by other threads.
/// Long messages are parsed on another thread, since they would block all clients.
final class Connection: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = OutgoingMessage
  typealias OutboundOut = ByteBuffer

  /// A notification from the server to a connection.
  enum Event: Sendable {
    /// Refuse the client because there is no room.
    case turnAway
    /// Start no further call, and close after the present one is answered.
    case stop
    /// The present call was answered on another thread.
    case answered
  }

  private let outlet: Outlet
  private let clients: Clients
  private let number: Int
  private let identity: ServiceIdentity
  private let logger: Logger
  private let parsing: LongMessages
  private let answering: @Sendable (Request) -> Void
  private var limits: ServerLimits { outlet.limits }

  private var incoming = IncomingMessages()
  /// The call in progress.
  private var present: Present?
  /// The bytes of the message that is being parsed on another thread.
  private var parsedBytes = 0
  /// The bytes that are accounted to this connection in `clients`.
  private var heldBytes = 0
  private var isAdmitted = false
  private var isAdvancing = false
  private var inputEnded = false
  private var isLeaving = false
  private var messageTimer: Scheduled<Void>?

  private enum Present {
    case call
    /// Ends only when the client closes the connection.
    case subscription
  }

  init(
    outlet: Outlet, clients: Clients, number: Int, identity: ServiceIdentity, logger: Logger,
    parsing: LongMessages, answering: @escaping @Sendable (Request) -> Void
  ) {
    self.parsing = parsing
    self.outlet = outlet
    self.clients = clients
    self.number = number
    self.identity = identity
    self.logger = logger
    self.answering = answering
  }

  func channelActive(context: ChannelHandlerContext) {
    context.fireChannelActive()
    advance(context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    messageTimer?.cancel()
    clients.leave(number)
    clients.hold(0, insteadOf: heldBytes)
    outlet.abandon()
    if !isLeaving && parsedBytes == 0 { answerLeftOneways(context) }
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed:
      inputEnded = true
      advance(context)
    case Event.turnAway: turnAway(context)
    case Event.stop:
      isLeaving = true
      if present == .subscription { present = nil }
      advance(context)
    case Event.answered: advance(context)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  private func drop(_ context: ChannelHandlerContext, because reason: Logger.Message) {
    logger.info(reason, metadata: ["client": "\(number)"])
    close(context)
  }

  /// Closes the connection after the present event. A channel that allows half-closure must not
  /// close while it reports the end of its input: NIO goes on with it, and asserts that it is open.
  private func close(_ context: ChannelHandlerContext) {
    isLeaving = true
    context.eventLoop.assumeIsolated().execute { context.close(promise: nil) }
  }
}

// MARK: Reading

extension Connection {
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isLeaving else { return }
    incoming.append(unwrapInboundIn(data))
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    advance(context)
  }

  /// Starts the next call, then reads, waits or closes depending on the state. Called after each
  /// change of the state; a nested call returns to the outer one.
  private func advance(_ context: ChannelHandlerContext) {
    guard !isAdvancing, context.channel.isActive else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    var isIncomplete = false
    noticeAnswer()
    while present == nil, !isLeaving, !isIncomplete, !clients.isClosed,
      outlet.hasRoom
    {
      switch incoming.next(most: limits.messageBytes) {
      case .message(let bytes):
        begin(bytes, context)
        noticeAnswer()
      case .incomplete: isIncomplete = true
      case .tooLong: return drop(context, because: "a client's message is too long; dropped it")
      }
    }
    if !holdIncoming() {
      return drop(context, because: "unfinished messages take too much room; dropped one")
    }
    let isDone = isLeaving || (inputEnded && isIncomplete)
    if present == nil, isDone {
      if outlet.pendingBytes == 0 { close(context) }
      return
    }
    watchMessage(context, isStarted: isIncomplete && incoming.count > 0)
    let wantsMore = isIncomplete || incoming.count < limits.readAheadBytes
    if wantsMore, !inputEnded, !isLeaving { context.read() }
  }

  /// Clears the present call if it was answered directly. Otherwise requests a notification if
  /// something waits for its end.
  private func noticeAnswer() {
    guard present != nil else { return }
    let isAwaited = incoming.count > 0 || inputEnded || isLeaving
    if outlet.takeAnswered(isAwaited: isAwaited) { present = nil }
  }

  /// Updates the account of received bytes. Returns false if there are too many.
  private func holdIncoming() -> Bool {
    let held = incoming.count + parsedBytes
    defer { heldBytes = held }
    return clients.hold(held, insteadOf: heldBytes)
  }

  /// Starts the timeout of an incomplete message.
  private func watchMessage(_ context: ChannelHandlerContext, isStarted: Bool) {
    guard isStarted, messageTimer == nil else { return }
    messageTimer = context.eventLoop.assumeIsolated().scheduleTask(
      in: .milliseconds(limits.messageMilliseconds)
    ) {
      self.drop(context, because: "a client did not finish its message in time; dropped it")
    }
  }
}

// MARK: Calls

extension Connection {
  private func begin(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
    messageTimer?.cancel()
    messageTimer = nil
    present = .call
    guard bytes.count > limits.readAheadBytes else {
      return begin(ReadCall(bytes, limits: limits), context)
    }
    parsedBytes = bytes.count
    parse(bytes, context) { call in
      self.parsedBytes = 0
      guard context.channel.isActive else {
        if self.isLeaving { return }
        self.answerLeft(call)
        return self.answerLeftOneways(context)
      }
      self.begin(call, context)
      self.advance(context)
    }
  }

  /// Parses a long message on another thread, and continues on the event loop.
  private func parse(
    _ bytes: [UInt8], _ context: ChannelHandlerContext, _ done: @escaping (ReadCall?) -> Void
  ) {
    parsing.parse(bytes, limits: limits, on: context.eventLoop).assumeIsolated().whenSuccess(done)
  }

  private func begin(_ call: ReadCall?, _ context: ChannelHandlerContext) {
    guard let call else {
      return drop(context, because: "a client sent what is not a Varlink call; dropped it")
    }
    if !isAdmitted {
      guard clients.admit(number) else { return turnAway(context) }
      isAdmitted = true
      openDirectWay(context)
    }
    let answer = Answer(outlet: outlet, more: call.more, oneway: call.oneway)
    do throws(InterfaceError) {
      switch try call.content.get() {
      case .service(let asked): answer.reply(try identity.reply(to: asked))
      case .call(let asked):
        if asked.method.needsMore { present = .subscription }
        answering(Request(call: asked, more: call.more, oneway: call.oneway, answer: answer))
      }
    } catch {
      answer.fail(error)
    }
  }

  /// Duplicates the descriptor for direct sending. If that fails, everything goes through the
  /// channel.
  private func openDirectWay(_ context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    let descriptor = try? pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
      fcntl($0, F_DUPFD_CLOEXEC, 0)
    }
    if let descriptor, descriptor >= 0 { outlet.sendDirectly(over: descriptor) }
  }

  private func turnAway(_ context: ChannelHandlerContext) {
    isLeaving = true
    logger.info("a client was turned away: there are too many", metadata: ["client": "\(number)"])
    outlet.send(ReplyMessage.failure(.tooManyClients(limit: limits.clients)), isLast: true)
  }

  /// Carries out the remaining calls without a reply after the client has closed its side.
  private func answerLeftOneways(_ context: ChannelHandlerContext) {
    while case .message(let bytes) = incoming.next(most: limits.messageBytes) {
      if bytes.count > limits.readAheadBytes {
        return parse(bytes, context) { call in
          self.answerLeft(call)
          self.answerLeftOneways(context)
        }
      }
      guard let call = ReadCall(bytes, limits: limits) else { return }
      answerLeft(call)
    }
  }

  private func answerLeft(_ call: ReadCall?) {
    guard let call, call.oneway, isAdmitted, case .success(.call(let asked)) = call.content,
      !asked.method.needsMore
    else { return }
    let answer = Answer(outlet: outlet, more: false, oneway: true)
    answering(Request(call: asked, more: false, oneway: true, answer: answer))
  }
}

// MARK: Writing

extension Connection {
  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let message = unwrapOutboundIn(data)
    for piece in message.pieces {
      let count = piece.readableBytes
      let written = context.eventLoop.makePromise(of: Void.self)
      written.futureResult.assumeIsolated().whenSuccess {
        self.outlet.sent(count)
        self.advance(context)
      }
      context.write(wrapOutboundOut(piece), promise: written)
    }
    promise?.succeed(())
    if message.isLast {
      present = nil
      // Runs after the flush that follows this write.
      context.eventLoop.assumeIsolated().execute { self.advance(context) }
    }
  }

  func flush(context: ChannelHandlerContext) {
    context.flush()
    guard outlet.pendingBytes > limits.drainedBytes else { return }
    for stuck in clients.mostStuck() {
      logger.info("the queues of all clients are too long; dropped one that is most behind")
      // Deferred, since closing calls the callbacks of the answer while a reply may be in this
      // pipeline.
      context.eventLoop.execute { stuck.close() }
    }
  }
}
