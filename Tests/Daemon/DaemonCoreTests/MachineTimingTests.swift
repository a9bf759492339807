import TestSupport
import Testing

@testable import DaemonCore

@Suite("When the files of machines are read and written", .limited)
struct MachineTimingTests {
  private static let second: Int64 = 1_000_000_000
  private var timing = MachineTiming()

  @Test("Files are written 2 s after the first change, and every 30 s while they go on")
  mutating func writing() {
    #expect(timing.due == .max)
    var written: [Int64] = []
    for tick in 0..<1_000 {
      let now = Int64(tick) * Self.second / 10
      timing.change(at: now)
      guard now >= timing.writes else { continue }
      timing.beginWriting()
      timing.note(.written(hasFailed: false), at: now)
      written.append(now / Self.second)
    }
    #expect(written == [2, 32, 62, 92])
  }

  @Test("A folder is read 50 ms after an event, and once a minute where none can be relied on")
  mutating func reading() {
    timing.hear(at: 0)
    timing.hear(at: 10)
    #expect(timing.due == 50_000_000)
    timing.beginReading()
    timing.note(.read(isPolled: false, isMissing: false, hasNews: false), at: 100)
    #expect(timing.due == .max)
    timing.note(.read(isPolled: true, isMissing: false, hasNews: false), at: 0)
    #expect(timing.reads == 60 * Self.second && timing.writes == .max)
  }

  @Test("A file that is missing is written again after 10 s, and what failed is tried again")
  mutating func again() {
    timing.note(.read(isPolled: false, isMissing: true, hasNews: false), at: 0)
    #expect(timing.writes == 10 * Self.second)
    timing.beginWriting()
    timing.note(.written(hasFailed: true), at: 0)
    #expect(timing.writes == 60 * Self.second)
    timing.note(.refused, at: 0)
    #expect(timing.reads == 60 * Self.second)
  }
}
