import Synchronization

/// Who waits until everything that happened in a music folder is merged. While the store takes no
/// changes nobody waits: they are told why, for it may take nothing until somebody makes room.
final class MergeWaiters: Sendable {
  /// Is called once: with nil when everything is merged, or else with why it can't be.
  typealias Completion = @Sendable (_ refusal: String?) -> Void

  private struct State {
    /// Bounded by the clients, who have one call each in work.
    var waiting: [Int: Completion] = [:]
    var next = 0
  }

  private let state = Mutex(State())

  /// - Returns: what is to be called when everything is merged.
  func add(_ completion: @escaping Completion) -> @Sendable () -> Void {
    let number = state.withLock { state in
      state.next += 1
      state.waiting[state.next] = completion
      return state.next
    }
    return { [self] in
      state.withLock { $0.waiting.removeValue(forKey: number) }?(nil)
    }
  }

  /// The store does not take what is being merged; it will be tried again.
  func refuse(_ reason: String) {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for completion in waiting { completion(reason) }
  }
}
