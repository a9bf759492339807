import CratesInterface
import NIOCore

/// A connection of a client of `org.crated.Web`, which is `crate web` of this user.
final class ControlConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let bytesMost: Int
  private let answer: ([UInt8]) -> [UInt8]
  private var received: [UInt8] = []

  /// - Parameter answer: Returns the reply to a message, both without their NUL.
  init(bytesMost: Int, answer: @escaping ([UInt8]) -> [UInt8]) {
    self.bytesMost = bytesMost
    self.answer = answer
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received += unwrapInboundIn(data).readableBytesView
    while let end = received.firstIndex(of: 0) {
      let reply = answer(Array(received[..<end])) + [0]
      received.removeFirst(end + 1)
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: reply)), promise: nil)
    }
    if received.count > bytesMost { context.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
