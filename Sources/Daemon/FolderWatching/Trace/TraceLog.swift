import Synchronization

/// The trace of one watcher. Other threads can read it, even while the watcher is stuck in a call.
final class TraceLog: Sendable {
  private let trace = Mutex(Trace())

  var entries: [Trace.Entry] { trace.withLock { $0 }.entries }

  /// - Parameter time: in nanoseconds since 1970.
  func note(_ step: Trace.Step, at time: Int64) {
    trace.withLock { $0.note(step, at: time) }
  }
}
