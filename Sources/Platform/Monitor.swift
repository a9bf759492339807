import Glibc

/// A value that threads wait for: a mutex and a condition, which `Synchronization` lacks. That they
/// guard it is all the compiler has to be told; that the value may be shared, it checks.
package final class Monitor<Value: Sendable>: Sendable {
  /// Guarded by `mutex`.
  nonisolated(unsafe) private var value: Value
  // Both are made for use by several threads at once.
  nonisolated(unsafe) private let mutex =
    UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  nonisolated(unsafe) private let changed =
    UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(_ value: Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Which of those that wait for a change look at the value again. Less than all is for where it
  /// is certain that the others would find nothing: to wake a thread takes as long as small work.
  package enum Waking: Sendable {
    case all, one, none
  }

  private func wake(_ waking: Waking) {
    switch waking {
    case .all: pthread_cond_broadcast(changed)
    case .one: pthread_cond_signal(changed)
    case .none: break
    }
  }

  /// Changes the value, and wakes those whom the body names.
  package func change(_ body: (inout Value) -> Waking) {
    pthread_mutex_lock(mutex)
    let waking = body(&value)
    wake(waking)
    pthread_mutex_unlock(mutex)
  }

  /// Reads or changes the value, and wakes those that wait for it to change.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }

  /// Waits until the body gives something, calling it anew after each change; then wakes others
  /// that wait for what it has changed.
  package func wait<Result>(
    waking: Waking = .all, for body: (inout Value) -> Result?
  ) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      wake(waking)
      pthread_mutex_unlock(mutex)
    }
    while true {
      if let result = body(&value) { return result }
      pthread_cond_wait(changed, mutex)
    }
  }

  /// The same, giving up at a time of `CLOCK_MONOTONIC` in nanoseconds.
  package func wait<Result>(
    until deadline: Int64, for body: (inout Value) -> Result?
  ) -> Result? {
    var time = timespec(
      tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    while true {
      if let result = body(&value) { return result }
      if pthread_cond_timedwait(changed, mutex, &time) == ETIMEDOUT { return body(&value) }
    }
  }
}
