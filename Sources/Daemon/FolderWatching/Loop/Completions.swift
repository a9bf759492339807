import Platform
import Synchronization

/// Those who wait for a sync: each is answered once, by the watcher, or at once where it is stuck.
final class Completions: Sendable {
  private let waiting = Monitor<[Int: @Sendable () -> Void]>([:])
  private let next = Atomic(0)

  func add(_ completion: @escaping @Sendable () -> Void) -> Int {
    let number = next.wrappingAdd(1, ordering: .relaxed).newValue
    waiting.withLock { $0[number] = completion }
    return number
  }

  func answer(_ number: Int) {
    waiting.withLock { $0.removeValue(forKey: number) }?()
  }

  func answerAll() {
    let all = waiting.withLock { waiting in
      defer { waiting = [:] }
      return waiting
    }
    for number in all.keys.sorted() { all[number]?() }
  }
}
