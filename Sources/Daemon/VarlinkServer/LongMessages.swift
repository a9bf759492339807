import NIOCore
import Platform
import Synchronization

/// Parses long messages, one after the other, on a thread that the first of them starts: all
/// clients wait for the event loop.
final class LongMessages: Sendable {
  /// Bytes of messages after which what they took is given back, as soon as none waits.
  private static let givenBackAfter = 4 << 20

  private struct State {
    var waiting = 0
    /// Bytes that came since memory was given back.
    var bytes = 0
  }

  private let pool = WorkPool("parsing", threads: 1)
  // Bounded by the clients, who have one call each in work.
  private let lane: WorkPool.Lane
  private let state = Mutex(State())

  init() { lane = pool.lane() }

  /// The call that the message is; nil where it is none. An error after `stop`.
  func parse(
    _ bytes: [UInt8], limits: ServerLimits, on loop: any EventLoop
  ) -> EventLoopFuture<ReadCall?> {
    let parsed = loop.makePromise(of: ReadCall?.self)
    state.withLock { state in
      state.waiting += 1
      state.bytes += bytes.count
    }
    let isTaken = lane.add { [self] in
      parsed.succeed(ReadCall(bytes, limits: limits))
      giveBack()
    }
    if !isTaken { parsed.fail(ChannelError.eof) }
    return parsed.futureResult
  }

  /// Parses what waits.
  func stop() { pool.stop() }

  private func giveBack() {
    let isDone = state.withLock { state in
      state.waiting -= 1
      guard state.waiting == 0, state.bytes >= Self.givenBackAfter else { return false }
      state.bytes = 0
      return true
    }
    if isDone { returnFreeMemory() }
  }
}
