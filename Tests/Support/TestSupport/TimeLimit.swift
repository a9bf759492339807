import Glibc
import Platform
import Synchronization
package import Testing

/// Ends the whole run, with the name of the test, where a test does not end. The limit that Swift
/// Testing has would only note it: it cancels tasks, and these tests are none, they block.
package struct TimeLimit: SuiteTrait, TestTrait, TestScoping {
  /// More than any test takes, on a busy machine and under a sanitizer; in nanoseconds.
  private static let nanoseconds = Int64(30 * 60 * Patience.factor) * 1_000_000_000
  /// The limit on the processor time of one case while a change waits, in nanoseconds: ten times
  /// what a case should take on the machine that runs CI.
  private static let computingMost = Int64(100 * Patience.factor) * 1_000_000_000

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    try await withTaskExecutorPreference(TestThreads.shared) { try await run(test, function) }
  }

  private func run(
    _ test: Test, _ function: @Sendable () async throws -> Void
  ) async throws {
    let (began, computedBefore) = (Clock.system.monotonic(), threadTime())
    let ticket = RunningTests.begin(test.name, until: began + Self.nanoseconds)
    defer { RunningTests.end(ticket) }
    try await function()
    let (computed, passed) = (
      threadTime() - computedBefore, Clock.system.monotonic() - began
    )
    if computed > Self.computingMost && !Effort.isNightly && !isSanitized {
      Issue.record(
        "\(test.name) computed for \(computed / 1_000_000_000) s: give a change less (Effort)")
    }
    if let file = getenv("CRATED_TEST_TIMES") {
      try note("\(computed / 1_000_000)\t\(passed / 1_000_000)\t\(test.id)\n", in: file)
    }
  }

  private func note(_ line: String, in file: UnsafePointer<CChar>) throws {
    let log = OpenFile(owning: open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644))
    guard write(log.descriptor, line, line.utf8.count) == line.utf8.count else {
      throw SystemCallError("write", String(cString: file))
    }
  }

  /// What the calling thread has had of the processor, in nanoseconds. Tests block, and end on the
  /// thread on which they began.
  private func threadTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension Trait where Self == TimeLimit {
  /// Each test of the suite has a time limit.
  package static var limited: Self { TimeLimit() }
}

/// Threads on which tests run. Many block while they wait for programs; the shared pool has only as
/// many threads as the machine has processors.
private final class TestThreads: TaskExecutor {
  static let shared = TestThreads(count: 2 * sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  private let jobs = Monitor<[UnownedJob]>([])
  private let threads = Mutex<[BlockingThread]>([])

  private init(count: Int) {
    let made = (1...count).map { number in
      BlockingThread("tests \(number)") {
        while true {
          let job = self.jobs.wait(waking: .none) { $0.isEmpty ? nil : $0.removeFirst() }
          job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
      }
    }
    threads.withLock { $0 = made }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }
}

/// The tests that run now, watched by a thread.
private enum RunningTests {
  private struct Running {
    var tests: [Int: (name: String, end: Int64)] = [:]
    var lastTicket = 0
  }

  private static let running = Monitor(Running())
  private static let watch = BlockingThread("time limit") {
    while true {
      let next = running.withLock { $0.tests.values.map(\.end).min() } ?? .max
      let now = Clock.system.monotonic()
      if let late = running.withLock({ $0.tests.values.first { $0.end <= now } }) {
        end(because: late.name)
      }
      // Again when a test has begun: it may be the first that has to end.
      let until = min(next, now + 60_000_000_000)
      _ = running.wait(until: until) { _ -> Bool? in nil }
    }
  }

  static func begin(_ name: String, until end: Int64) -> Int {
    _ = watch
    return running.withLock { running in
      running.lastTicket += 1
      running.tests[running.lastTicket] = (name, end)
      return running.lastTicket
    }
  }

  static func end(_ ticket: Int) { running.withLock { $0.tests[ticket] = nil } }

  private static func end(because name: String) -> Never {
    let line = "\(name) has not ended in time; the tests end here\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
    // The status that timeout(1) gives.
    _exit(124)
  }
}
