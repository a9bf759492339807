import Glibc
import Platform
import Synchronization
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

  @Test("a descriptor is ready for what can be done with it, and where its other end has left")
  func ready() throws {
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let here = OpenFile(owning: ends[0])
    let now = Clock.system.monotonic
    let (far, began) = (now() + 600_000_000_000, now())
    #expect(!isReady(here.descriptor, for: POLLIN, within: 0))
    #expect(!isReady(here.descriptor, for: POLLIN, within: 30))
    #expect(!isReady(here.descriptor, for: POLLIN, until: now() + 30_000_000))
    #expect(now() - began >= 60_000_000)
    #expect(isReady(here.descriptor, for: POLLOUT, within: 0))
    #expect(isReady(here.descriptor, for: POLLIN | POLLOUT, until: far))
    // Over is over, whatever could be done.
    #expect(!isReady(here.descriptor, for: POLLOUT, until: began))
    close(ends[1])
    #expect(isReady(here.descriptor, for: POLLIN, within: -1))
    #expect(isReady(here.descriptor, for: POLLPRI, until: far))
  }

  @Test("one at a time has the value, in whichever way it is asked for", arguments: 0..<4)
  func alone(way: Int) {
    let count = Monitor(0)
    // Whoever is not alone with it writes over what others have written meanwhile.
    @Sendable func add(_ value: inout Int) {
      let before = value
      sched_yield()
      value = before + 1
    }
    let threads = (0..<4).map { _ in
      BlockingThread("adding") {
        for _ in 0..<200 {
          switch way {
          case 0: count.withLock { add(&$0) }
          case 1:
            count.change {
              add(&$0)
              return .none
            }
          case 2: count.wait(waking: .none) { (value: inout Int) -> Void? in add(&value) }
          default: _ = count.wait(until: 0) { (value: inout Int) -> Void? in add(&value) }
          }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(count.withLock { $0 } == 800)
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
    for over in [Clock.system.monotonic() - 1, 0, -1, -5_000_000_001] {
      asked = 0
      let none = monitor.wait(until: over) { _ -> Int? in
        asked += 1
        return nil
      }
      #expect(none == nil && asked == 2)
    }
  }

  @Test("no change is slept through that comes between a look and the wait", arguments: 0..<3)
  func nothingMissed(way: Int) {
    let number = Monitor(0)
    let seen = Atomic(0)
    let waiting = BlockingThread("waiting") {
      for next in 1...2_000 {
        switch way {
        case 0: number.wait { $0 >= next ? () : nil }
        case 1: number.wait(waking: .none) { $0 >= next ? () : nil }
        default: _ = number.wait(until: Patience.end) { $0 >= next ? () : nil }
        }
        seen.store(next, ordering: .releasing)
      }
    }
    // Each comes as soon as the one before was seen, which is when the next look is taken.
    for next in 1...2_000 {
      if way == 0 {
        number.withLock { $0 = next }
      } else {
        number.change {
          $0 = next
          return .one
        }
      }
      let isSeen = happensInTime { seen.load(ordering: .acquiring) == next }
      #expect(isSeen)
      if !isSeen { break }
    }
    number.withLock { $0 = .max }
    waiting.join()
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

  @Test("of those that wait one is woken where one is meant, and all where all are")
  func woken() {
    let places = Monitor(0)
    let gone = Monitor(0)
    let threads = (0..<6).map { _ in
      BlockingThread("waiting") {
        places.wait(waking: .none) { count -> Void? in
          if count == 0 { return nil }
          count -= 1
          return ()
        }
        gone.withLock { $0 += 1 }
      }
    }
    for number in 1...3 {
      places.change { count in
        count = 1
        return .one
      }
      gone.wait { $0 == number ? () : nil }
    }
    places.change { count in
      count = 3
      return .all
    }
    for thread in threads { thread.join() }
    #expect(gone.withLock { $0 } == 6)
    #expect(places.withLock { $0 } == 0)
  }

  @Test("who has waited wakes the next one, who waits for what that has changed")
  func passedOn() {
    let turn = Monitor(0)
    let threads = (1...5).reversed().map { number in
      BlockingThread("turn") {
        turn.wait { turn -> Void? in
          if turn != number { return nil }
          turn += 1
          return ()
        }
      }
    }
    turn.withLock { $0 = 1 }
    for thread in threads { thread.join() }
    #expect(turn.withLock { $0 } == 6)
  }

  @Test("a timer wakes when its time is over, once for each time that it is set")
  func timer() throws {
    let timer = try KernelTimer()
    func runsOut(_ wait: Int32) -> Bool {
      var polled = pollfd(fd: timer.descriptor, events: Int16(POLLIN), revents: 0)
      return poll(&polled, 1, wait) == 1
    }
    #expect(!runsOut(0) && !timer.hasRunOut())
    for time in [-1, 0, 1, 1_000_000] as [Int64] {
      timer.set(after: time)
      #expect(runsOut(-1) && timer.hasRunOut())
      #expect(!timer.hasRunOut() && !runsOut(0))
    }
    timer.set(after: 3_600_000_000_000)
    #expect(!runsOut(0) && !timer.hasRunOut())
    timer.set(after: 1)
    #expect(runsOut(-1))
    timer.unset()
    #expect(!runsOut(0) && !timer.hasRunOut())
  }

  @Test("the clocks are the kernel's, in nanoseconds")
  func clocks() {
    func seconds(_ clock: clockid_t) -> Int64 {
      var time = timespec()
      clock_gettime(clock, &time)
      return Int64(time.tv_sec)
    }
    let billion: Int64 = 1_000_000_000
    let monotonic = (seconds(CLOCK_MONOTONIC), Clock.system.monotonic(), seconds(CLOCK_MONOTONIC))
    #expect(monotonic.0 * billion <= monotonic.1 && monotonic.1 < (monotonic.2 + 1) * billion)
    let wall = (seconds(CLOCK_REALTIME), Clock.system.wall(), seconds(CLOCK_REALTIME))
    #expect(wall.0 * billion <= wall.1 && wall.1 < (wall.2 + 1) * billion)
    // The nanoseconds of a second are told, too.
    let all = (0..<100).map { _ in Clock.system.monotonic() % billion }
    #expect(Set(all).count > 1)
  }
}
