import CLinuxShims
import Synchronization

/// A value that threads wait for: a mutex with the condition that `Synchronization` lacks.
package final class Monitor<Value: Sendable>: Sendable {
  private let value: Mutex<Value>
  /// Grows with each change that somebody may wait for, after it.
  private let changes = crated_events_make()

  package init(_ value: Value) {
    self.value = Mutex(value)
  }

  deinit {
    crated_events_free(changes)
  }

  /// Which of those that wait for a change look at the value again. Less than all is for where it
  /// is certain that the others would find nothing: to wake a thread takes as long as small work.
  package enum Waking: Sendable {
    case all, one, none
  }

  private func wake(_ waking: Waking) {
    switch waking {
    case .all: crated_events_add(changes, 1)
    case .one: crated_events_add(changes, 0)
    case .none: break
    }
  }

  /// Changes the value, and wakes those whom the body names.
  package func change(_ body: (inout Value) -> Waking) {
    wake(value.withLock { body(&$0) })
  }

  /// Reads or changes the value, and wakes those that wait for it to change.
  package func withLock<Result: Sendable, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { wake(.all) }
    return try value.withLock { (value) throws(Failure) in try body(&value) }
  }

  /// Waits until the body gives something, calling it anew after each change; then wakes others
  /// that wait for what it has changed.
  package func wait<Result: Sendable>(
    waking: Waking = .all, for body: (inout Value) -> Result?
  ) -> Result {
    defer { wake(waking) }
    while true {
      let seen = crated_events_count(changes)
      if let result = value.withLock({ body(&$0) }) { return result }
      crated_events_wait(changes, seen)
    }
  }

  /// The same, giving up at a time of `CLOCK_MONOTONIC` in nanoseconds.
  package func wait<Result: Sendable>(
    until deadline: Int64, for body: (inout Value) -> Result?
  ) -> Result? {
    defer { wake(.all) }
    while true {
      let seen = crated_events_count(changes)
      if let result = value.withLock({ body(&$0) }) { return result }
      if crated_events_wait_until(changes, seen, deadline) == 0 {
        return value.withLock { body(&$0) }
      }
    }
  }
}
