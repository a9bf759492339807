import Synchronization

/// Who waits until everything that happened in a music folder is merged. While the store takes no
/// changes nobody waits: they are told why, for it may take nothing until somebody makes room.
final class MergeWaiters: Sendable {
  /// Is called once: with nil when everything is merged, or else with why it can't be.
  typealias Completion = @Sendable (_ refusal: String?) -> Void

  /// Bounded by the clients, who have one call each in work.
  private let waiting = Mutex(Numbered<Completion>())

  /// - Returns: what is to be called when everything is merged.
  func add(_ completion: @escaping Completion) -> @Sendable () -> Void {
    let number = waiting.withLock { $0.add(completion) }
    return { [self] in
      waiting.withLock { $0.remove(number) }?(nil)
    }
  }

  /// The store does not take what is being merged; it will be tried again.
  func refuse(_ reason: String) {
    for completion in waiting.withLock({ $0.removeAll() }) { completion(reason) }
  }
}
