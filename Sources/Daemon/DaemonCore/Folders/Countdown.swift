import Synchronization

/// Calls back when the given number of folders is merged, at once for zero, or at the first
/// refusal.
final class Countdown: Sendable {
  private let left: Mutex<Int>
  private let done: MergeWaiters.Completion

  init(_ count: Int, _ done: @escaping MergeWaiters.Completion) {
    left = Mutex(count)
    self.done = done
    if count == 0 { done(nil) }
  }

  func count(_ refusal: String?) {
    let isOver = left.withLock { left in
      guard left > 0 else { return false }
      left = refusal == nil ? left - 1 : 0
      return left == 0
    }
    if isOver { done(refusal) }
  }
}
