import NIOCore
import Platform
import Synchronization

/// Parses long messages one by one on a thread of its own, so that they don't block the event loop.
/// The first message starts the thread.
final class LongMessages: Sendable {
  /// The number of parsed bytes after which free memory is returned to the system, once none waits.
  private static let givenBackAfter = 4 << 20

  private struct State {
    var waiting = 0
    /// The number of bytes since memory was last returned.
    var bytes = 0
  }

  private let pool = WorkPool("parsing", threads: 1)
  // Bounded by the number of clients, each of which has one call in progress.
  private let lane: WorkPool.Lane
  private let state = Mutex(State())

  init() { lane = pool.lane() }

  /// Parses a message. The result is nil if it is not a call, and an error after `stop`.
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

  /// Parses the waiting messages and stops the thread.
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
