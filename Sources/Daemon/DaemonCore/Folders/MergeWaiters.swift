import Synchronization

/// The callers that wait until everything that happened in a music folder is merged. They get an
/// error while the store refuses changes, which may last until the user makes room.
final class MergeWaiters: Sendable {
  /// Called once: with nil when everything is merged, else with the reason why it can't be.
  typealias Completion = @Sendable (_ refusal: String?) -> Void

  /// The most callers that wait. A client has one active call, but calls of clients that left wait
  /// as well, such as those of `timeout 1 crate sync` in a loop during a long scan.
  static let most = 1_024

  private let waiting = Mutex(Numbered<Completion>())

  /// - Returns: A function to call when everything is merged; nil if too many wait, and the
  ///   completion was called.
  func add(_ completion: @escaping Completion) -> (@Sendable () -> Void)? {
    let number = waiting.withLock { waiting in
      waiting.values.count < Self.most ? waiting.add(completion) : nil
    }
    guard let number else {
      completion(
        "\(Self.most) calls wait for this scan already; run `crate sync` without a time limit")
      return nil
    }
    return { [self] in
      waiting.withLock { $0.remove(number) }?(nil)
    }
  }

  /// Fails all waiting callers: the store refuses the merge, which will be retried.
  func refuse(_ reason: String) {
    for completion in waiting.withLock({ $0.removeAll() }) { completion(reason) }
  }
}
