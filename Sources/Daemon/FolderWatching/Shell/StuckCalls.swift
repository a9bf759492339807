import Glibc
import LibraryModel
import Platform
import Synchronization

/// Detects system calls that don't return, for example on a network drive whose server is gone. The
/// folder is then offline, and no client waits for it. Each caller is stuck by itself, and only the
/// return of its own call ends that: the other's calls may still be answered from the kernel's
/// cache.
///
/// Time in which the daemon did not run doesn't count, as when it or its machine was suspended: the
/// kernel may have answered since. So the time is counted in steps, and a step that ends much too
/// late doesn't count.
///
/// A call has less time if the folder has not answered others either. When a read times out, the
/// folder has been silent for 5 s, so the call has 5 s from then on. If the other caller is stuck,
/// the call has one step only: while the watcher is in a call, nothing else reports that.
final class StuckCalls: Sendable {
  /// The number of steps that a call may take.
  private static let stepsMost = 10
  /// The number of steps that a call may take after a read timed out.
  private static let stepsAfterLateRead = 5

  enum Caller: Int, CaseIterable {
    case watcher, opener
  }

  private final class Call: Sendable {
    let timer: KernelTimer
    let isStuck = Atomic(false)
    /// When the call began, on the monotonic clock; `.min` if there is none.
    let began = Atomic<Int64>(.min)
    /// The number of steps that it has taken.
    let steps = Atomic(0)
    /// The number of steps at whose end the last read had timed out.
    let lateSteps = Atomic(0)
    let stepBegan = Atomic<Int64>(0)

    init() throws(SystemCallError) { timer = try KernelTimer() }
  }

  private let calls: [Call]
  private let areReadsLate = Atomic(false)
  private let isStopping = Atomic(false)
  private let wakeUp: WakeUp
  private let step: Int64
  private let clock: Clock

  /// - Parameter most: how long a call may take, in nanoseconds.
  init(most: Int64, clock: Clock = .system) throws(SystemCallError) {
    step = most / Int64(Self.stepsMost)
    self.clock = clock
    var calls: [Call] = []
    for _ in Caller.allCases { calls.append(try Call()) }
    self.calls = calls
    wakeUp = try WakeUp()
  }

  /// Starts the timer before calls that may get stuck, and restarts it while they go well. Returns
  /// true if the caller counted as stuck until now.
  @discardableResult
  func begin(_ caller: Caller) -> Bool {
    let call = calls[caller.rawValue]
    let now = clock.monotonic()
    call.steps.store(0, ordering: .relaxed)
    call.lateSteps.store(0, ordering: .relaxed)
    call.stepBegan.store(now, ordering: .relaxed)
    call.timer.set(after: step)
    call.began.store(now, ordering: .relaxed)
    return call.isStuck.exchange(false, ordering: .sequentiallyConsistent)
  }

  /// Stops the timer before the caller waits for something other than the kernel. Returns true if
  /// the caller counted as stuck until now.
  @discardableResult
  func end(_ caller: Caller) -> Bool {
    let call = calls[caller.rawValue]
    call.timer.unset()
    call.began.store(.min, ordering: .sequentiallyConsistent)
    return call.isStuck.exchange(false, ordering: .sequentiallyConsistent)
  }

  func isStuck(_ caller: Caller) -> Bool {
    calls[caller.rawValue].isStuck.load(ordering: .acquiring)
  }

  /// Returns when the caller's present call began; nil if it is in none.
  func callSince(_ caller: Caller) -> Int64? {
    let began = calls[caller.rawValue].began.load(ordering: .acquiring)
    return began == .min ? nil : began
  }

  /// Sets whether the last read of one of the folder's files has timed out.
  func noteReads(areLate: Bool) { areReadsLate.store(areLate, ordering: .relaxed) }

  func stop() {
    isStopping.store(true, ordering: .releasing)
    wakeUp.wake()
  }

  /// Runs the monitoring thread: sleeps until a call is stuck. Returns after `stop`.
  func run(whenStuck: (Caller) -> Void) {
    var descriptors = (calls.map(\.timer.descriptor) + [wakeUp.descriptor]).map {
      pollfd($0, POLLIN)
    }
    while !isStopping.load(ordering: .acquiring) {
      _ = poll(&descriptors, nfds_t(descriptors.count), -1)
      for caller in Caller.allCases where note(caller) { whenStuck(caller) }
    }
  }

  private func isOver(_ call: Call, of caller: Caller) -> Bool {
    let steps = call.steps.load(ordering: .relaxed)
    return steps >= Self.stepsMost
      || call.lateSteps.load(ordering: .relaxed) >= Self.stepsAfterLateRead
      || (steps > 0 && Caller.allCases.contains { $0 != caller && isStuck($0) })
  }

  private func note(_ caller: Caller) -> Bool {
    let call = calls[caller.rawValue]
    guard call.timer.hasRunOut(), call.began.load(ordering: .acquiring) != .min else {
      return false
    }
    let now = clock.monotonic()
    let lasted = now - call.stepBegan.exchange(now, ordering: .relaxed)
    if lasted < 2 * step {
      call.steps.add(1, ordering: .relaxed)
      if areReadsLate.load(ordering: .relaxed) { call.lateSteps.add(1, ordering: .relaxed) }
    }
    guard isOver(call, of: caller) else {
      call.timer.set(after: step)
      return false
    }
    call.isStuck.store(true, ordering: .sequentiallyConsistent)
    // It may have come back in this very moment, without knowing that it was stuck.
    guard call.began.load(ordering: .sequentiallyConsistent) == .min else { return true }
    call.isStuck.store(false, ordering: .sequentiallyConsistent)
    return false
  }
}
