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
}
