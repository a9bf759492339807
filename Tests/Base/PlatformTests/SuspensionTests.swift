import Glibc
import Platform
import TestSupport
import Testing

@Suite("Sleeps of the machine", .limited)
struct SuspensionTests {
  @Test("A sleep of more than a second is told once, and what is no sleep is none")
  func sleeps() throws {
    var asleep: Int64 = 5_000_000_000
    let jumps = try ClockJumps { asleep }
    #expect(!jumps.sleptSinceLastAsked())
    asleep += 1_000_000_000
    #expect(!jumps.sleptSinceLastAsked())
    asleep += 3_600_000_000_000
    #expect(jumps.sleptSinceLastAsked())
    #expect(!jumps.sleptSinceLastAsked())
  }

  @Test("The time asleep is what the clock that goes on has more than the one that stops")
  func timeAsleep() throws {
    func now(_ clock: clockid_t) -> Int64 {
      var time = timespec()
      clock_gettime(clock, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
    for _ in 0..<20 {
      let (monotonic, boot) = (now(CLOCK_MONOTONIC), now(CLOCK_BOOTTIME))
      let asleep = ClockJumps.timeAsleep()
      let (bootAfter, monotonicAfter) = (now(CLOCK_BOOTTIME), now(CLOCK_MONOTONIC))
      #expect(boot - monotonicAfter <= asleep && asleep <= bootAfter - monotonic)
    }
    let jumps = try ClockJumps()
    var polled = pollfd(fd: jumps.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&polled, 1, 0) == 0 && !jumps.sleptSinceLastAsked())
  }
}
