import Glibc
import Platform
package import Testing

/// Ends the whole run, with the name of the test, where a test does not end. The limit that Swift
/// Testing has would only note it: it cancels tasks, and these tests are none, they block.
package struct TimeLimit: SuiteTrait, TestTrait, TestScoping {
  /// More than any test takes, on a busy machine and under a sanitizer; in nanoseconds.
  private static let nanoseconds = Int64(30 * 60 * Patience.factor) * 1_000_000_000

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let ticket = RunningTests.begin(test.name, until: Clock.system.monotonic() + Self.nanoseconds)
    defer { RunningTests.end(ticket) }
    try await function()
  }
}

extension Trait where Self == TimeLimit {
  /// Each test of the suite has a time limit.
  package static var limited: Self { TimeLimit() }
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
