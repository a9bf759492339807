import NIOCore
import Platform

/// The side of a connection that any thread may touch: what waits to be sent, and whether anyone
/// is still there to take it.
final class Outlet: Sendable {
  let channel: any Channel
  let limits: ServerLimits
  private let clock: Clock
  private let state: Monitor<State>

  private struct State {
    var pendingBytes = 0
    var isAbandoned = false
    /// When bytes last left, or began to wait in an empty queue; `Clock.monotonic`.
    var movedAt: Int64 = 0
    var onAbandon: (@Sendable () -> Void)?
    var onDrain: [@Sendable () -> Void] = []
  }

  init(channel: any Channel, limits: ServerLimits, clock: Clock) {
    self.channel = channel
    self.limits = limits
    self.clock = clock
    self.state = Monitor(State())
  }

  var pendingBytes: Int { state.withLock { $0.pendingBytes } }
  var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

  /// How long nothing has left although something waits, in nanoseconds; 0 where nothing waits.
  var standstill: Int64 {
    let now = clock.monotonic()
    return state.withLock { $0.pendingBytes == 0 ? 0 : now - $0.movedAt }
  }

  /// Queues one message. After the client has gone it is dropped.
  func send(_ bytes: [UInt8], isLast: Bool) {
    let now = clock.monotonic()
    let isAbandoned = state.withLock { state in
      if state.pendingBytes == 0 { state.movedAt = now }
      if !state.isAbandoned { state.pendingBytes += bytes.count }
      if isLast { state.onAbandon = nil }
      return state.isAbandoned
    }
    guard !isAbandoned else { return }
    channel.writeAndFlush(OutgoingMessage(bytes, isLast: isLast), promise: nil)
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

  func whenDrained(_ callback: @escaping @Sendable () -> Void) {
    let isDrained = state.withLock { state in
      let isDrained = state.isAbandoned || state.pendingBytes <= limits.drainedBytes
      if !isDrained { state.onDrain.append(callback) }
      return isDrained
    }
    if isDrained { callback() }
  }

  /// Blocks until there is room. False where the client has gone.
  func waitForRoom() -> Bool {
    state.wait { state in
      if state.isAbandoned { return false }
      return state.pendingBytes <= limits.queueBytes ? true : nil
    }
  }

  func close() {
    channel.close(promise: nil)
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

  init(_ bytes: [UInt8], isLast: Bool) {
    self.isLast = isLast
    pieces = stride(from: 0, to: bytes.count, by: Self.pieceBytes).map { start in
      ByteBuffer(bytes: bytes[start..<min(start + Self.pieceBytes, bytes.count)])
    }
  }
}
