import Platform
import Synchronization

/// The clients that wait for a sync. Each is answered once: by the watcher, or at once if the
/// watcher is stuck.
final class Completions: Sendable {
  private struct Client: Sendable {
    var progress: @Sendable (WatchState.Progress) -> Void
    var completion: @Sendable () -> Void
  }

  private let waiting = Monitor<[Int: Client]>([:])
  private let next = Atomic(0)

  func add(
    progress: @escaping @Sendable (WatchState.Progress) -> Void = { _ in },
    _ completion: @escaping @Sendable () -> Void
  ) -> Int {
    let number = next.wrappingAdd(1, ordering: .relaxed).newValue
    waiting.withLock { $0[number] = Client(progress: progress, completion: completion) }
    return number
  }

  func tell(_ progress: WatchState.Progress, to numbers: [Int]) {
    let clients = waiting.withLock { waiting in numbers.compactMap { waiting[$0] } }
    for client in clients { client.progress(progress) }
  }

  func answer(_ number: Int) {
    waiting.withLock { $0.removeValue(forKey: number) }?.completion()
  }

  func answerAll() {
    let all = waiting.withLock { waiting in
      defer { waiting = [:] }
      return waiting
    }
    for number in all.keys.sorted() { all[number]?.completion() }
  }
}
