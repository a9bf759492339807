import Platform
import Synchronization

/// Answers that may never come, as from a drive that hangs. Each is given up at its deadline.
/// Bounded by the calls of the clients that wait for them.
final class Deadlines: Sendable {
  private struct Waiting: Sendable {
    var deadline: Int64
    var giveUp: @Sendable () -> Void
  }

  private let lane: WorkPool.Lane
  private let clock: Clock
  private let waiting = Mutex(Numbered<Waiting>())

  /// - Parameter lane: A lane that nothing else uses.
  init(on lane: WorkPool.Lane, clock: Clock) {
    (self.lane, self.clock) = (lane, clock)
  }

  /// Returns a function to call with the answer. The first answer is passed on, or `late` if none
  /// has come by the deadline.
  ///
  /// - Parameter deadline: On the monotonic clock, in nanoseconds.
  func answer<Value: Sendable>(
    until deadline: Int64, late: Value, _ pass: @escaping @Sendable (Value) -> Void
  ) -> @Sendable (Value) -> Void {
    let number = waiting.withLock {
      $0.add(Waiting(deadline: deadline, giveUp: { pass(late) }))
    }
    giveUpLater()
    return { [self] value in
      if waiting.withLock({ $0.remove(number) }) != nil { pass(value) }
    }
  }

  /// Gives up all pending answers.
  func stop() {
    for one in waiting.withLock({ $0.removeAll() }) { one.giveUp() }
  }

  private func giveUp() {
    let now = clock.monotonic()
    let late = waiting.withLock { waiting in
      waiting.values.filter { $0.value.deadline <= now }.keys.compactMap { waiting.remove($0) }
    }
    for one in late { one.giveUp() }
    giveUpLater()
  }

  private func giveUpLater() {
    let next = waiting.withLock { $0.values.values.map(\.deadline).min() }
    if let next { lane.add(at: next) { [self] in giveUp() } }
  }
}
