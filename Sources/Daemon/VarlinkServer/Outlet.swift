import Glibc
import NIOCore
import Platform

/// The thread-safe side of a connection: its queue of outgoing bytes, and whether the client is
/// still connected.
///
/// The thread that makes a reply sends as much as fits into the kernel's buffer, without waking the
/// server's thread. The rest goes through the channel.
final class Outlet: Sendable {
  private let wire: any Wire
  let limits: ServerLimits
  private let clock: Clock
  private let state: Monitor<State>

  fileprivate struct State {
    /// A duplicate of the channel's descriptor, which this outlet closes.
    var socket: Int32?
    /// The bytes in the channel that the kernel has not accepted.
    var pendingBytes = 0
    var isAbandoned = false
    /// Whether the last reply was sent and the connection does not know that yet.
    var isAnswered = false
    /// Whether the connection requested a notification of the last reply.
    var isTurnAwaited = false
    /// When bytes were last sent or queued in an empty queue, by `Clock.monotonic`.
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
  /// Whether the queue is short enough for more.
  var hasRoom: Bool { pendingBytes <= limits.queueBytes }

  /// How long a nonempty queue has not moved, in nanoseconds; 0 if the queue is empty.
  var standstill: Int64 {
    let now = clock.monotonic()
    return state.withLock { $0.pendingBytes == 0 ? 0 : now - $0.movedAt }
  }

  /// Sends directly over this descriptor from now on, and takes ownership of it.
  func sendDirectly(over socket: Int32) {
    let isTaken = state.withLock { state in
      if state.isAbandoned || state.socket != nil { return false }
      state.socket = socket
      return true
    }
    if !isTaken { Glibc.close(socket) }
  }

  /// Sends a message, and queues what the kernel doesn't accept. After the client has disconnected
  /// the message is dropped.
  func send(_ bytes: [UInt8], isLast: Bool) {
    enum Next {
      case nothing, turn
      case channel(from: Int)
    }
    let now = clock.monotonic()
    let next = state.withLock { state -> Next in
      if isLast { state.onAbandon = nil }
      if state.isAbandoned { return .nothing }
      // Bytes in the channel's queue have to be sent first.
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

  /// Returns whether the last reply was sent directly; true only once. If it was not sent yet and
  /// `isAwaited` is set, `Connection.Event.answered` follows.
  func takeAnswered(isAwaited: Bool) -> Bool {
    state.withLock { state in
      defer { state.isAnswered = false }
      state.isTurnAwaited = isAwaited && !state.isAnswered
      return state.isAnswered
    }
  }

  /// Records that bytes of the queue were sent.
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

  /// Drops the queue and closes the socket after the client has disconnected.
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

/// The operations of a channel that an outlet needs, callable from any thread.
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
  /// Returns the number of bytes that the kernel accepts now. Errors are left to the channel.
  fileprivate func sendNow(_ bytes: [UInt8]) -> Int {
    guard let socket, !bytes.isEmpty else { return 0 }
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    return max(bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, flags) }, 0)
  }
}

/// A message in a connection's pipeline.
struct OutgoingMessage: Sendable {
  /// Pieces that are sent and freed one by one, so that progress is visible in long replies.
  var pieces: [ByteBuffer]
  /// Whether this is the last reply to the call.
  var isLast: Bool

  /// A power of two, to which a ByteBuffer rounds its capacity anyway.
  private static let pieceBytes = 64 << 10

  init(_ bytes: ArraySlice<UInt8>, isLast: Bool) {
    self.isLast = isLast
    let starts = stride(from: bytes.startIndex, to: bytes.endIndex, by: Self.pieceBytes)
    pieces = starts.map { start in
      ByteBuffer(bytes: bytes[start..<min(start + Self.pieceBytes, bytes.endIndex)])
    }
  }
}
