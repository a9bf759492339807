import TestSupport
import Testing

@testable import DaemonCore

@Suite("When playlists are written", .limited)
struct PlaylistTimingTests {
  private static let millisecond: Int64 = 1_000_000
  private var timing = PlaylistTiming()

  private mutating func change(_ milliseconds: Int64) {
    timing.change(at: milliseconds * Self.millisecond)
  }

  private var due: Int64 { timing.due / Self.millisecond }

  @Test("a fifth of a second after the last change, and a second after the first at the latest")
  mutating func lag() {
    #expect(timing.due == .max)
    change(1000)
    #expect(due == 1200)
    change(1150)
    #expect(due == 1350)
    for time in stride(from: Int64(1200), to: 2000, by: 100) { change(time) }
    #expect(due == 2000)
    timing.begin()
    #expect(timing.due == .max)
    change(5000)
    #expect(due == 5200)
  }

  @Test("what takes long to write is written seldom, but every minute")
  mutating func rest() {
    change(0)
    timing.begin()
    timing.end(from: 0, at: 400 * Self.millisecond, isProblem: false)
    #expect(timing.due == .max)
    change(500)
    #expect(due == 4400)
    timing.begin()
    timing.end(from: 0, at: 3_600_000 * Self.millisecond, isProblem: false)
    change(3_600_001)
    #expect(due == 3_660_000)
  }

  @Test("when lists want to be looked at they are, and soon after news of their folder")
  mutating func wanted() throws {
    timing.begin()
    timing.end(from: 0, at: 0, isProblem: false, wanted: 3000 * Self.millisecond)
    #expect(due == 3000)
    timing.hear(at: 1000 * Self.millisecond)
    timing.hear(at: 1040 * Self.millisecond)
    #expect(due == 1050)
    timing.begin()
    #expect(timing.due == .max)
    // What is heard while they are looked at is not forgotten.
    timing.hear(at: 1100 * Self.millisecond)
    timing.end(
      from: 1090 * Self.millisecond, at: 1110 * Self.millisecond, isProblem: false, wanted: .max)
    #expect(due == 1310)
  }

  @Test("after a problem once more in a minute, or with the next change")
  mutating func retry() {
    timing.begin()
    timing.end(from: 10, at: 10, isProblem: true)
    #expect(due == 60_000)
    change(1000)
    #expect(due == 1200)
    timing.begin()
    timing.end(from: 1200, at: 1200, isProblem: false)
    #expect(timing.due == .max)
  }
}
