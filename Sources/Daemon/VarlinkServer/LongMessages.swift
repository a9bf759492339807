import NIOCore
import Platform

/// Parses long messages, one after the other, on a thread that the first of them starts: all
/// clients wait for the event loop.
final class LongMessages: Sendable {
  /// Bytes of messages after which what they took is given back, as soon as none waits.
  private static let givenBackAfter = 4 << 20

  private struct State {
    // Bounded by the clients, who have one call each in work.
    var waiting: [@Sendable () -> Void] = []
    /// Bytes that came since memory was given back.
    var bytes = 0
    var isStopping = false
    var thread: BlockingThread?
  }

  private let state = Monitor(State())

  /// The call that the message is; nil where it is none. An error after `stop`.
  func parse(
    _ bytes: [UInt8], limits: ServerLimits, on loop: any EventLoop
  ) -> EventLoopFuture<ReadCall?> {
    let parsed = loop.makePromise(of: ReadCall?.self)
    let isTaken = state.withLock { state in
      if state.isStopping { return false }
      state.bytes += bytes.count
      state.waiting.append { parsed.succeed(ReadCall(bytes, limits: limits)) }
      if state.thread == nil { state.thread = BlockingThread("parsing") { [self] in run() } }
      return true
    }
    if !isTaken { parsed.fail(ChannelError.eof) }
    return parsed.futureResult
  }

  /// Parses what waits.
  func stop() {
    let thread = state.withLock { state in
      state.isStopping = true
      return state.thread.take()
    }
    thread?.join()
  }

  private func run() {
    while true {
      let next = state.wait(waking: .none) { state -> (@Sendable () -> Void)?? in
        if !state.waiting.isEmpty { return .some(state.waiting.removeFirst()) }
        return state.isStopping ? .some(nil) : nil
      }
      guard let next else { return }
      next()
      let isDone = state.withLock { state in
        guard state.waiting.isEmpty, state.bytes >= Self.givenBackAfter else { return false }
        state.bytes = 0
        return true
      }
      if isDone { returnFreeMemory() }
    }
  }
}
