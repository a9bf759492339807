import CratesInterface
import NIOCore
import NIOHTTP1
import Platform
import Players

/// An HTTP connection, which handles one request at a time.
final class HTTPConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let service: PageService
  private let gate: RequestGate
  private let guests: Guests
  private let address: String
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  /// Whether the connection is closing after an error response, so that further input is ignored.
  private var isRefused = false
  private var isAnswering = false
  /// The input that arrived behind the current request in the same read.
  private var pending: [HTTPServerRequestPart] = []
  private var isTaking = false
  private var context: ChannelHandlerContext?
  /// The running call.
  private var call: DaemonCall?
  /// Whether the response is a stream that has begun.
  private var isStreaming = false

  init(service: PageService, gate: RequestGate, guests: Guests, address: String) {
    self.service = service
    self.gate = gate
    self.guests = guests
    self.address = address
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    guests.arrive(self)
  }

  func handlerRemoved(context: ChannelHandlerContext) { leave() }

  func channelInactive(context: ChannelHandlerContext) {
    leave()
    context.fireChannelInactive()
  }

  private func leave() {
    endCall()
    context = nil
    guests.leave(self)
  }

  /// Closes the connection, to make room or because its device was forgotten.
  func close() { context?.close(promise: nil) }

  // MARK: Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    pending.append(unwrapInboundIn(data))
    takePending()
  }

  private func takePending() {
    // An immediate response calls this method again.
    guard !isTaking else { return }
    isTaking = true
    defer { isTaking = false }
    while !isAnswering, !isRefused, !pending.isEmpty { take(pending.removeFirst()) }
  }

  private func take(_ part: HTTPServerRequestPart) {
    switch part {
    case .head(let head):
      self.head = head
      body = []
    case .body(let buffer):
      guard body.count + buffer.readableBytes <= service.limits.bodyBytes else {
        body = []
        return end(with: .text(413, "The body is too long."))
      }
      body += buffer.readableBytesView
    case .end:
      guard let head else { return }
      isAnswering = true
      // Further input waits in the kernel.
      _ = context?.channel.setOption(.autoRead, value: false)
      gate.requestHasEnded()
      answer(
        WebRequest(
          head.method.rawValue, head.uri,
          headers: head.headers.map { (name: $0.name, value: $0.value) }, body: body,
          address: address))
      body = []
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !isRefused, !isAnswering else { return context.close(promise: nil) }
    switch error {
    case RequestFault.headTooLong: end(with: .text(431, "The headers are too long."))
    case is HTTPParserError: end(with: .text(400, "This is not HTTP."))
    default: context.close(promise: nil)
    }
  }

  private func answer(_ request: WebRequest) {
    let (step, forgotten) = service.step(for: request)
    guests.endCalls(of: forgotten)
    switch step {
    case .respond(let response): respond(response)
    case .call(let method, let parameters, let streams, let device):
      guests.admit(self)
      start(method, parameters, streams: streams, for: device)
    case .cover(let name):
      guests.admit(self)
      start(cover: name)
    case .play(let wanted, _):
      guests.admit(self)
      start(playing: wanted)
    }
  }

  // MARK: Calls

  private func start(_ method: String, _ parameters: JSON, streams: Bool, for device: Device) {
    guard guests.mayCall(asStream: streams) else {
      return respond(streams ? .tooManyStreams : .isBusy)
    }
    begin(method, parameters, more: streams, for: device, asStream: streams) { [weak self] event in
      guard let self else { return }
      switch event {
      case .lost where isStreaming: endStream()
      case .lost: respond(.daemonIsAway)
      case .reply(let reply) where streams: pass(reply)
      case .reply(let reply):
        if let parameters = reply.parameters {
          respond(.json(200, parameters))
        } else {
          respond(.json(409, reply.message))
        }
      }
    }
  }

  private func start(cover name: CoverName) {
    guard guests.mayCall(asStream: false) else { return respond(.isBusy) }
    let parameters: JSON = [
      "albums": JSON([name.album]), "side": JSON(name.side), "form": "jpeg",
    ]
    begin("\(Interface.name).Thumbnails", parameters, more: true) { [weak self] event in
      guard let self else { return }
      switch event {
      case .lost: respond(.daemonIsAway)
      case .reply(let reply): respond(.cover(name, in: reply))
      }
    }
  }

  /// Plays on a thread of its own, since a player may be slow. One request at a time.
  private func start(playing wanted: PlayRequest) {
    guard let loop = context?.eventLoop, guests.playingBegins() else { return respond(.isBusy) }
    let bound = NIOLoopBound((connection: self, guests: guests), eventLoop: loop)
    let playing = service.playing
    _ = BlockingThread("playing") {
      let response: WebResponse
      do throws(PlayerFault) {
        response = .json(["text": .string(try playing.play(wanted))])
      } catch {
        response = .nothingPlays(because: error.message)
      }
      loop.execute {
        bound.value.guests.playingEnds()
        bound.value.connection.respond(response)
      }
    }
  }

  private func begin(
    _ method: String, _ parameters: JSON, more: Bool, for device: Device? = nil,
    asStream isStream: Bool = false, _ handle: @escaping (DaemonCall.Event) -> Void
  ) {
    guard let context else { return }
    guests.callBegins(of: self, for: device, asStream: isStream)
    call = DaemonCall.start(
      method, parameters, more: more, at: service.daemonPath, limits: service.limits,
      on: context.eventLoop
    ) { [weak self] event in
      if case .reply(let reply) = event, reply.continues {} else { self?.callHasEnded() }
      handle(event)
    }
  }

  /// Cancels the running call.
  private func endCall() {
    guard let call else { return }
    callHasEnded()
    call.cancel()
  }

  private func callHasEnded() {
    guard call != nil else { return }
    call = nil
    guests.callEnds(of: self)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    // Replies that the client doesn't accept wait in the daemon, which skips changes and reports
    // that.
    call?.setReading(context.channel.isWritable)
    context.fireChannelWritabilityChanged()
  }

  // MARK: Answers

  private func respond(_ response: WebResponse) {
    guard let context else { return }
    write(response, hasBody: head?.method != .HEAD, to: context)
    finish(context)
  }

  /// Ends the response, and reads the next request if the connection is kept alive.
  private func finish(_ context: ChannelHandlerContext) {
    guard head?.isKeepAlive == true else { return finishAndClose(context) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    isAnswering = false
    gate.responseHasEnded()
    _ = context.channel.setOption(.autoRead, value: true)
    takePending()
  }

  /// Responds to a request that was refused, and closes the connection.
  private func end(with response: WebResponse) {
    guard let context else { return }
    isRefused = true
    var response = response
    response.headers["Connection"] = "close"
    write(response, hasBody: true, to: context)
    finishAndClose(context)
  }

  /// Closes the connection after the response was sent.
  private func finishAndClose(_ context: ChannelHandlerContext) {
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      bound.value.close(promise: nil)
    }
  }

  private func write(
    _ response: WebResponse, hasBody: Bool, to context: ChannelHandlerContext
  ) {
    var headers = self.headers(of: response)
    headers.add(name: "Content-Length", value: String(response.body.count))
    let head = HTTPResponseHead(
      version: .http1_1, status: .init(statusCode: response.status), headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    guard hasBody else { return }
    context.write(
      wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))), promise: nil)
  }

  private func headers(of response: WebResponse) -> HTTPHeaders {
    HTTPHeaders(response.allHeaders.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  // MARK: Streams

  /// Passes a reply on as a record of RFC 7464.
  private func pass(_ reply: DaemonReply) {
    guard let context else { return }
    if !isStreaming {
      guard reply.parameters != nil else { return respond(.json(409, reply.message)) }
      let response = WebResponse(
        200, headers: ["Content-Type": "application/json-seq", "X-Accel-Buffering": "no"])
      let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers(of: response))
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      isStreaming = true
      gate.responseIsStream()
    }
    let record = [0x1E] + reply.message + [UInt8(ascii: "\n")]
    context.writeAndFlush(
      wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: record)))), promise: nil)
    if !reply.continues { endStream() }
  }

  private func endStream() {
    guard let context else { return }
    isStreaming = false
    finish(context)
  }
}

extension WebResponse {
  fileprivate static func nothingPlays(because reason: String) -> Self {
    let error: JSON = [
      "error": .string("\(WebInterface.name).NothingPlays"),
      "parameters": ["reason": .string(reason)],
    ]
    return .json(409, error.bytes)
  }

  /// Returns the picture in the reply to Thumbnails.
  fileprivate static func cover(_ name: CoverName, in reply: DaemonReply) -> Self {
    let json = reply.parameters.flatMap { try? JSON(parsing: $0) }
    guard let json, json["digest"]?.string == name.digest, json["width"]?.integer ?? 0 > 0,
      let picture = json["jpeg"]?.string.flatMap(Base64.decoded)
    else { return .text(404, "No such cover.") }
    return WebResponse(
      200,
      headers: [
        "Content-Type": "image/jpeg", "Cache-Control": "private, max-age=31536000, immutable",
      ], body: picture)
  }
}
