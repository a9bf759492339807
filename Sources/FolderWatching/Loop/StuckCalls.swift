import Glibc
import LibraryModel
import Platform
import Synchronization

/// Notices that the kernel doesn't come back from a call, as on a network drive whose server is
/// gone: the folder is then offline, and nobody waits for it.
final class StuckCalls: Sendable {
  enum Caller: Int, CaseIterable {
    case watcher, opener
  }

  let isStuck = Atomic(false)
  private let isStopping = Atomic(false)
  private let timers: [KernelTimer]
  private let wakeUp: WakeUp
  private let most: Int64

  /// - Parameter most: how long a call may take, in nanoseconds.
  init(most: Int64) throws(SystemCallError) {
    self.most = most
    var timers: [KernelTimer] = []
    for _ in Caller.allCases { timers.append(try KernelTimer()) }
    self.timers = timers
    wakeUp = try WakeUp()
  }

  /// Before calls that may get stuck, and again while they go well.
  func begin(_ caller: Caller) { timers[caller.rawValue].set(after: most) }

  /// After them, and before waiting for something else than the kernel.
  func end(_ caller: Caller) { timers[caller.rawValue].unset() }

  func stop() {
    isStopping.store(true, ordering: .releasing)
    wakeUp.wake()
  }

  /// The thread's work: sleeps until a call is stuck, and ends after `stop`.
  func run(whenStuck: () -> Void) {
    var descriptors = (timers.map(\.descriptor) + [wakeUp.descriptor]).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while !isStopping.load(ordering: .acquiring) {
      _ = poll(&descriptors, nfds_t(descriptors.count), -1)
      var ranOut = false
      for timer in timers where timer.hasRunOut() { ranOut = true }
      guard ranOut else { continue }
      isStuck.store(true, ordering: .releasing)
      whenStuck()
    }
  }
}

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
