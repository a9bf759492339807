import Synchronization

/// The callers that wait until everything that happened in a music folder is merged. They get an
/// error while the store refuses changes, which may last until the user makes room.
final class MergeWaiters: Sendable {
  /// Called once: with nil when everything is merged, else with the reason why it can't be.
  typealias Completion = @Sendable (_ refusal: String?) -> Void

  /// Bounded by the number of clients, which have one active call each.
  private let waiting = Mutex(Numbered<Completion>())

  /// - Returns: A function to call when everything is merged.
  func add(_ completion: @escaping Completion) -> @Sendable () -> Void {
    let number = waiting.withLock { $0.add(completion) }
    return { [self] in
      waiting.withLock { $0.remove(number) }?(nil)
    }
  }

  /// Fails all waiting callers: the store refuses the merge, which will be retried.
  func refuse(_ reason: String) {
    for completion in waiting.withLock({ $0.removeAll() }) { completion(reason) }
  }
}
