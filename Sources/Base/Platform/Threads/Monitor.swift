import CLinuxShims
import Synchronization

/// A value that threads can wait for: a mutex with the condition that `Synchronization` lacks.
package final class Monitor<Value: Sendable>: Sendable {
  /// This mutex is locked only together with the condition's, so no thread ever waits for it. It
  /// shows the compiler that the value is guarded.
  private let value: Mutex<Value>
  private let changed = crated_condition_make()

  package init(_ value: Value) {
    self.value = Mutex(value)
  }

  deinit {
    crated_condition_free(changed)
  }

  /// The waiting threads that are woken to check the value again. Less than `all` is for changes in
  /// which the others would certainly find nothing: waking a thread takes as long as a small piece
  /// of work.
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

  /// Changes the value, and wakes the threads that the body returns.
  package func change(_ body: (inout Value) -> Waking) {
    crated_condition_lock(changed)
    wake(value.withLock { body(&$0) })
    crated_condition_unlock(changed)
  }

  /// Reads or changes the value, and wakes all threads that wait for a change.
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

  /// Waits until the body returns a result. The body is called again after each change. Then wakes
  /// threads that wait for what it has changed.
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

  /// Waits like `wait(waking:for:)`, but gives up at a time of `CLOCK_MONOTONIC` in nanoseconds.
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
