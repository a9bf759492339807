import TagReading
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Turns of covers as pixels", .limited)
struct ThumbnailTurnTests {
  private func slot(_ deadline: Int64, _ found: ThumbnailOutcome? = nil) -> Thumbnails.Slot {
    Thumbnails.Slot(
      ticket: 1, album: "a", digest: nil, isBeside: false, deadline: deadline, found: found)
  }

  @Test("a client that takes its time with what is found has nobody wake up for it")
  func paused() {
    #expect(Thumbnails.Slot.nextLate([]) == .max)
    #expect(Thumbnails.Slot.nextLate([slot(9), slot(7)]) == 7)
    // Long over, if it were still waited for.
    #expect(Thumbnails.Slot.nextLate([slot(1, .noCover(nil)), slot(8)]) == 8)
    #expect(Thumbnails.Slot.nextLate([slot(1, .noCover(nil))]) == .max)
  }
}
