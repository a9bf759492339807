import Platform
import Synchronization
import TestSupport
import Testing

@testable import DaemonCore

@Suite("A clock that is behind", .limited)
struct TimeFloorTests {
  private final class Hands: Sendable {
    let times = Mutex<(wall: Int64, monotonic: Int64)>((5_000_000, 0))
    func pass(_ nanoseconds: Int64) {
      times.withLock { $0 = ($0.wall + nanoseconds, $0.monotonic + nanoseconds) }
    }
    var clock: Clock {
      Clock(
        monotonic: { [self] in times.withLock { $0.monotonic } },
        wall: { [self] in times.withLock { $0.wall } })
    }
  }

  @Test("goes on from the newest time that was written, until it is right again")
  func behind() {
    let hands = Hands()
    let floor = TimeFloor(hands.clock)
    let clock = floor.lifted
    #expect(clock.wall() == 5_000_000)
    floor.raise(to: 100)
    #expect(clock.wall() == 100_000_000)
    hands.pass(3)
    #expect(clock.wall() == 100_000_003 && clock.monotonic() == 3)
    // What is older changes nothing.
    for time in [99, 100] as [Int64] {
      floor.raise(to: time)
      #expect(clock.wall() == 100_000_003)
    }
    // A real clock that shows that time is right.
    hands.times.withLock { $0.wall = 100_000_000 }
    #expect(clock.wall() == 100_000_000)
    hands.times.withLock { $0.wall = 200_000_000 }
    #expect(clock.wall() == 200_000_000)
    // Set back by a second, after nothing was written.
    hands.times.withLock { $0.wall = 150_000_000 }
    #expect(clock.wall() == 150_000_000)
    floor.raise(to: .max)
    #expect(clock.wall() == 9_000_000_000_000_000_000)
  }
}
