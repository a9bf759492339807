import Platform
import Synchronization
import TestSupport
import Testing

@Suite("The lanes of a work pool", .limited)
struct WorkPoolTests {
  @Test("each do their work in its order, one piece at a time, whatever the others have")
  func order() {
    let pool = WorkPool("test", threads: 3)
    let lanes = (0..<4).map { _ in pool.lane() }
    let done = Monitor<[[Int]]>(Array(repeating: [], count: 4))
    let working = (0..<4).map { _ in Flag() }
    let overlaps = Atomic(0)
    for piece in 0..<500 {
      for (number, lane) in lanes.enumerated() {
        lane.add {
          if !working[number].raise() { overlaps.add(1, ordering: .relaxed) }
          done.withLock { $0[number].append(piece) }
          working[number].lower()
        }
      }
    }
    pool.stop()
    #expect(overlaps.load(ordering: .relaxed) == 0)
    for number in 0..<4 { #expect(done.withLock { $0[number] } == Array(0..<500)) }
  }

  private final class Flag: Sendable {
    private let isUp = Atomic(false)
    func raise() -> Bool { !isUp.exchange(true, ordering: .acquiringAndReleasing) }
    func lower() { isUp.store(false, ordering: .releasing) }
  }

  @Test("work at the same time, and one lane by as many threads as it allows", arguments: 1...3)
  func atOnce(width: Int) {
    let pool = WorkPool("test", threads: 4)
    let lane = pool.lane(width: width)
    let working = Monitor((now: 0, most: 0))
    let mayEnd = Monitor(false)
    for _ in 0..<8 {
      lane.add {
        working.withLock { working in
          working.now += 1
          working.most = max(working.most, working.now)
        }
        mayEnd.wait { $0 ? () : nil }
        working.withLock { $0.now -= 1 }
      }
    }
    working.wait { $0.now == width ? () : nil }
    // Another lane has a thread left.
    let isDone = Monitor(false)
    pool.lane().add { isDone.withLock { $0 = true } }
    isDone.wait { $0 ? () : nil }
    mayEnd.withLock { $0 = true }
    pool.stop()
    #expect(working.withLock { $0.most } == width)
  }

  @Test("take turns: long work of one lane's doesn't keep the others' back")
  func turns() {
    let pool = WorkPool("test", threads: 0)
    let (one, other) = (pool.lane(), pool.lane())
    let done = Mutex<[String]>([])
    for number in 1...3 { one.add { done.withLock { $0.append("one \(number)") } } }
    for number in 1...2 { other.add { done.withLock { $0.append("other \(number)") } } }
    while pool.takeTurn() {}
    #expect(done.withLock { $0 } == ["one 1", "other 1", "one 2", "other 2", "one 3"])
  }

  @Test("have work added when its time has come; what replaces it, and an end, keep it from that")
  func later() {
    let pool = WorkPool("test", threads: 2)
    let (one, other) = (pool.lane(), pool.lane())
    let done = Monitor<[String]>([])
    @Sendable func say(_ word: String) { done.withLock { $0.append(word) } }
    let now = Clock.system.monotonic()
    one.add(at: now + 3_600_000_000_000) { say("never") }
    other.add(at: now + 20_000_000) { say("later") }
    done.wait { $0 == ["later"] ? () : nil }
    #expect(Clock.system.monotonic() >= now + 20_000_000)
    // An earlier time than the one that is waited for.
    one.add(at: now) { say("at once") }
    done.wait { $0.count == 2 ? () : nil }
    one.add(at: now + 3_600_000_000_000) { say("never") }
    pool.stop()
    #expect(done.withLock { $0 } == ["later", "at once"])
  }

  @Test("have later work done though there is always other work")
  func laterWhileBusy() {
    let pool = WorkPool("test", threads: 1)
    let (busy, other) = (pool.lane(), pool.lane())
    let isDone = Monitor(false)
    @Sendable func again() {
      if isDone.withLock({ !$0 }) { busy.add { again() } }
    }
    again()
    other.add(at: Clock.system.monotonic() + 1_000_000) { isDone.withLock { $0 = true } }
    isDone.wait { $0 ? () : nil }
    pool.stop()
  }

  @Test("finish what waits and what that adds when the pool stops, and nothing comes after it")
  func stopping() {
    let pool = WorkPool("test", threads: 2)
    let lane = pool.lane()
    let count = Atomic(0)
    @Sendable func again(_ left: Int) {
      count.add(1, ordering: .relaxed)
      if left > 0 { lane.add { again(left - 1) } }
    }
    for _ in 0..<10 { lane.add { again(9) } }
    pool.stop()
    #expect(count.load(ordering: .relaxed) == 100)
    #expect(!lane.add { count.add(1, ordering: .relaxed) })
    pool.stop()
    #expect(count.load(ordering: .relaxed) == 100)
    WorkPool("test", threads: 2).stop()
  }

  @Test("end also where later work is due at once, again and again")
  func endless() {
    let pool = WorkPool("test", threads: 1)
    let lane = pool.lane()
    let count = Monitor(0)
    @Sendable func again() {
      count.withLock { $0 += 1 }
      lane.add(at: 0) { again() }
    }
    again()
    count.wait { $0 > 100 ? () : nil }
    pool.stop()
  }
}
