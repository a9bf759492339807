import Glibc
import Platform
import TestSupport
import Testing

/// What threads wait on, and how they are woken.
@Suite("Waiting", .limited)
struct WaitingTests {
  private func isReadable(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) == 1
  }

  @Test("a wake-up counts once, however often it was called, and until it is taken")
  func wakeUp() throws {
    let wakeUp = try WakeUp()
    #expect(!isReadable(wakeUp.descriptor))
    wakeUp.wake()
    wakeUp.wake()
    #expect(isReadable(wakeUp.descriptor))
    #expect(isReadable(wakeUp.descriptor))
    wakeUp.clear()
    #expect(!isReadable(wakeUp.descriptor))
    // Nothing to take holds nobody up.
    wakeUp.clear()
    wakeUp.wake()
    #expect(isReadable(wakeUp.descriptor))
  }

  @Test("a thread has its name, or what Linux has room for of it")
  func names() {
    for (name, told) in [("covers", "covers"), ("a name that is long", "a name that is ")] {
      let seen = Monitor("")
      BlockingThread(name) {
        let comm = (try? readFile("/proc/thread-self/comm")) ?? []
        seen.withLock { $0 = String(decoding: comm.dropLast(), as: UTF8.self) }
      }.join()
      #expect(seen.withLock { $0 } == told)
    }
  }

  @Test(
    "no wait for a time ends before it, and none is longer than it has to be",
    arguments: [
      (-1, 0), (0, 0), (1, 1), (999_999, 1), (1_000_000, 1), (1_000_001, 2),
      (Int64.max - 5, Int32.max),
    ] as [(Int64, Int32)])
  func milliseconds(left: Int64, expected: Int32) {
    #expect(Clock.milliseconds(from: 5, until: 5 + left) == expected)
  }

  @Test("a wait ends at its time with what is there by then, and asks once more")
  func deadline() {
    let monitor = Monitor(0)
    var asked = 0
    let found = monitor.wait(until: Clock.system.monotonic() + 1_000_000) { _ -> Int? in
      asked += 1
      return asked == 2 ? asked : nil
    }
    #expect(found == 2)
    let none = monitor.wait(until: Clock.system.monotonic() - 1) { _ -> Int? in nil }
    #expect(none == nil)
  }

  @Test("a change that is not waited for leaves a wait with a time as it is")
  func otherChanges() {
    let monitor = Monitor(0)
    let isAsked = Monitor(0)
    let waiting = BlockingThread("waiting") {
      let found = monitor.wait(until: Clock.system.monotonic() + 600_000_000_000) { value -> Int? in
        isAsked.withLock { $0 += 1 }
        return value >= 3 ? value : nil
      }
      isAsked.withLock { $0 = found == 3 ? -1 : -2 }
    }
    for value in 1...3 {
      isAsked.wait { $0 >= value ? () : nil }
      monitor.withLock { $0 = value }
    }
    #expect(isAsked.wait { $0 < 0 ? $0 : nil } == -1)
    waiting.join()
  }
}
