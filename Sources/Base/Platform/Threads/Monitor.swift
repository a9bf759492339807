import CLinuxShims
import Synchronization

/// A value that threads wait for: a mutex with the condition that `Synchronization` lacks.
package final class Monitor<Value: Sendable>: Sendable {
  /// Its own mutex is taken with the condition's alone, so that nobody ever waits for it: it shows
  /// the compiler that the value is guarded.
  private let value: Mutex<Value>
  private let changed = crated_condition_make()

  package init(_ value: Value) {
    self.value = Mutex(value)
  }

  deinit {
    crated_condition_free(changed)
  }

  /// Which of those that wait for a change look at the value again. Less than all is for where it
  /// is certain that the others would find nothing: to wake a thread takes as long as small work.
  package enum Waking: Sendable {
    case all, one, none
  }

  private func wake(_ waking: Waking) {
    switch waking {
    case .all: crated_condition_wake_all(changed)
    case .one: crated_condition_wake_one(changed)
    case .none: break
    }
  }

  /// Changes the value, and wakes those whom the body names.
  package func change(_ body: (inout Value) -> Waking) {
    crated_condition_lock(changed)
    wake(value.withLock { body(&$0) })
    crated_condition_unlock(changed)
  }

  /// Reads or changes the value, and wakes those that wait for it to change.
  package func withLock<Result: Sendable, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    crated_condition_lock(changed)
    defer {
      wake(.all)
      crated_condition_unlock(changed)
    }
    return try value.withLock { (value) throws(Failure) in try body(&value) }
  }

  /// Waits until the body gives something, calling it anew after each change; then wakes others
  /// that wait for what it has changed.
  package func wait<Result: Sendable>(
    waking: Waking = .all, for body: (inout Value) -> Result?
  ) -> Result {
    crated_condition_lock(changed)
    defer {
      wake(waking)
      crated_condition_unlock(changed)
    }
    while true {
      if let result = value.withLock({ body(&$0) }) { return result }
      crated_condition_wait(changed)
    }
  }

  /// The same, giving up at a time of `CLOCK_MONOTONIC` in nanoseconds.
  package func wait<Result: Sendable>(
    until deadline: Int64, waking: Waking = .all, for body: (inout Value) -> Result?
  ) -> Result? {
    crated_condition_lock(changed)
    defer {
      wake(waking)
      crated_condition_unlock(changed)
    }
    while true {
      if let result = value.withLock({ body(&$0) }) { return result }
      if crated_condition_wait_until(changed, deadline) == 0 {
        return value.withLock { body(&$0) }
      }
    }
  }
}
