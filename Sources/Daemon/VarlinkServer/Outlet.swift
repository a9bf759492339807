import Glibc
import NIOCore
import Platform

/// The side of a connection that any thread may touch: what waits to be sent, and whether anyone
/// is still there to take it.
///
/// What fits into the kernel's buffer is sent by the thread that made it, which does not wait for
/// the server's thread to be woken. The rest goes through the channel.
final class Outlet: Sendable {
  private let wire: any Wire
  let limits: ServerLimits
  private let clock: Clock
  private let state: Monitor<State>

  fileprivate struct State {
    /// A second descriptor of the channel's socket, which nobody else closes.
    var socket: Int32?
    /// What the channel has and the kernel hasn't.
    var pendingBytes = 0
    var isAbandoned = false
    /// The last reply has left, which the connection has not been told of.
    var isAnswered = false
    /// The connection wants to be told at once.
    var isTurnAwaited = false
    /// When bytes last left, or began to wait in an empty queue; `Clock.monotonic`.
    var movedAt: Int64 = 0
    var onAbandon: (@Sendable () -> Void)?
    var onDrain: [@Sendable () -> Void] = []
  }

  init(wire: any Wire, limits: ServerLimits, clock: Clock) {
    self.wire = wire
    self.limits = limits
    self.clock = clock
    self.state = Monitor(State())
  }

  var pendingBytes: Int { state.withLock { $0.pendingBytes } }
  var isAbandoned: Bool { state.withLock { $0.isAbandoned } }
  /// Whether so little waits that there may be more.
  var hasRoom: Bool { pendingBytes <= limits.queueBytes }

  /// How long nothing has left although something waits, in nanoseconds; 0 where nothing waits.
  var standstill: Int64 {
    let now = clock.monotonic()
    return state.withLock { $0.pendingBytes == 0 ? 0 : now - $0.movedAt }
  }

  /// From now on what can be is sent over this descriptor, which is taken over.
  func sendDirectly(over socket: Int32) {
    let isTaken = state.withLock { state in
      if state.isAbandoned || state.socket != nil { return false }
      state.socket = socket
      return true
    }
    if !isTaken { Glibc.close(socket) }
  }

  /// Sends one message, or queues what the kernel doesn't take of it. After the client has gone it
  /// is dropped.
  func send(_ bytes: [UInt8], isLast: Bool) {
    enum Next {
      case nothing, turn
      case channel(from: Int)
    }
    let now = clock.monotonic()
    let next = state.withLock { state -> Next in
      if isLast { state.onAbandon = nil }
      if state.isAbandoned { return .nothing }
      // Behind what waits in the channel it would come too soon.
      let sent = state.pendingBytes == 0 ? state.sendNow(bytes) : 0
      if state.socket == nil || sent < bytes.count {
        if state.pendingBytes == 0 { state.movedAt = now }
        state.pendingBytes += bytes.count - sent
        return .channel(from: sent)
      }
      if isLast { state.isAnswered = true }
      return isLast && state.isTurnAwaited ? .turn : .nothing
    }
    switch next {
    case .nothing: break
    case .turn: wire.tell(.answered)
    case .channel(let start): wire.send(OutgoingMessage(bytes[start...], isLast: isLast))
    }
  }

  /// Whether the whole answer went out at once, past the channel; true only the first time it is
  /// asked. If it didn't, and the connection awaits it, `Connection.Event.answered` follows.
  func takeAnswered(isAwaited: Bool) -> Bool {
    state.withLock { state in
      defer { state.isAnswered = false }
      state.isTurnAwaited = isAwaited && !state.isAnswered
      return state.isAnswered
    }
  }

  /// Bytes have left.
  func sent(_ count: Int) {
    let now = clock.monotonic()
    let callbacks = state.withLock { state -> [@Sendable () -> Void] in
      state.pendingBytes -= count
      state.movedAt = now
      guard state.pendingBytes <= limits.drainedBytes else { return [] }
      defer { state.onDrain = [] }
      return state.onDrain
    }
    for callback in callbacks { callback() }
  }

  /// The client has gone: nothing waits any longer.
  func abandon() {
    let callbacks = state.withLock { state -> [@Sendable () -> Void] in
      if let socket = state.socket.take() { Glibc.close(socket) }
      defer {
        state.isAbandoned = true
        state.pendingBytes = 0
        state.onAbandon = nil
        state.onDrain = []
      }
      return [state.onAbandon].compactMap { $0 } + state.onDrain
    }
    for callback in callbacks { callback() }
  }

  func onAbandon(_ callback: @escaping @Sendable () -> Void) {
    let isAbandoned = state.withLock { state in
      if !state.isAbandoned { state.onAbandon = callback }
      return state.isAbandoned
    }
    if isAbandoned { callback() }
  }

  var isDrained: Bool { state.withLock { isDrained($0) } }

  private func isDrained(_ state: State) -> Bool {
    state.isAbandoned || state.pendingBytes <= limits.drainedBytes
  }

  func whenDrained(_ callback: @escaping @Sendable () -> Void) {
    let isDrained = state.withLock { state in
      let isDrained = self.isDrained(state)
      if !isDrained { state.onDrain.append(callback) }
      return isDrained
    }
    if isDrained { callback() }
  }

  func tell(_ event: Connection.Event) { wire.tell(event) }
  func close() { wire.close() }
}

/// What an outlet asks of its connection's channel, from any thread.
protocol Wire: Sendable {
  func tell(_ event: Connection.Event)
  func send(_ message: OutgoingMessage)
  func close()
}

struct ChannelWire: Wire {
  let channel: any Channel

  func tell(_ event: Connection.Event) { channel.pipeline.fireUserInboundEventTriggered(event) }
  func send(_ message: OutgoingMessage) { channel.writeAndFlush(message, promise: nil) }
  func close() { channel.close(promise: nil) }
}

extension Outlet.State {
  /// How many bytes the kernel takes now. Why it takes none is for the channel to find out.
  fileprivate func sendNow(_ bytes: [UInt8]) -> Int {
    guard let socket, !bytes.isEmpty else { return 0 }
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    return max(bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, flags) }, 0)
  }
}

/// What travels down a connection's pipeline.
struct OutgoingMessage: Sendable {
  /// Pieces that leave, and are let go of, one by one: progress shows on long replies too.
  var pieces: [ByteBuffer]
  /// Whether the call is answered with it.
  var isLast: Bool

  /// A power of two, which is what a ByteBuffer takes anyway.
  private static let pieceBytes = 64 << 10

  init(_ bytes: ArraySlice<UInt8>, isLast: Bool) {
    self.isLast = isLast
    let starts = stride(from: bytes.startIndex, to: bytes.endIndex, by: Self.pieceBytes)
    pieces = starts.map { start in
      ByteBuffer(bytes: bytes[start..<min(start + Self.pieceBytes, bytes.endIndex)])
    }
  }
}
