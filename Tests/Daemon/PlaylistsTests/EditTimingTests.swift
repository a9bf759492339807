import Glibc
import Platform
import TestSupport
import Testing

@testable import Playlists

@Suite("When an edit of a list is taken", .limited)
struct EditTimingTests {
  private let folder: TemporaryFolder
  private var timing = EditTiming()
  private static let second: Int64 = 1_000_000_000

  init() throws { folder = try TemporaryFolder() }

  /// Another file each time.
  private func file(_ name: Int) throws -> FileStatus? {
    FileStatus(name: try folder.write("\(name)", to: "\(name)"), followsLinks: false)
  }

  private mutating func see(
    _ name: Int?, _ form: EditTiming.Form = .ended, at seconds: Double
  ) throws {
    let status = try name.flatMap(file)
    timing.see(status, form, at: Int64(seconds * Double(Self.second)))
  }

  private var due: Double { Double(timing.due) / Double(Self.second) }
  private var writeDue: Double { Double(timing.writeDue) / Double(Self.second) }

  @Test("a second after it was last another one, five where it breaks off, ten where it is nothing")
  mutating func still() throws {
    #expect(timing.due == .max && timing.writeDue == .min)
    try see(1, at: 100)
    #expect(due == 101)
    try see(2, at: 100.9)
    #expect(due == 101.9)
    try see(3, .unended, at: 101.5)
    #expect(due == 106.5)
    try see(nil, .nothing, at: 102)
    #expect(due == 112)
    // MPD's gap between the old one and the new one.
    try see(4, at: 102.001)
    #expect(due == 103.001)
    timing.settle()
    #expect(timing.due == .max)
  }

  @Test("what is seen once more is no news")
  mutating func unchanged() throws {
    let status = try file(1)
    timing.see(status, .ended, at: 100 * Self.second)
    for time in 1...9 { timing.see(status, .ended, at: 100 * Self.second + Int64(time)) }
    #expect(due == 101 && writeDue == 103)
    timing.see(nil, .nothing, at: 101 * Self.second)
    timing.see(nil, .nothing, at: 105 * Self.second)
    #expect(due == 111)
  }

  @Test(
    "written back after three seconds without an edit, and thirty after the first at the latest")
  mutating func calm() throws {
    for step in 0...40 { try see(step, at: 100 + Double(step)) }
    #expect(writeDue == 130)
    timing.wrote()
    #expect(timing.writeDue == .min)
    try see(1, at: 200)
    try see(2, at: 202)
    #expect(writeDue == 205)
    timing.settle()
    #expect(writeDue == 205)
    // What comes three seconds later begins anew; a moment before that it goes on.
    for (second, begins) in [(3.0, 103.0), (2.999_999_999, 100.0)] {
      timing.wrote()
      try see(1, at: 100)
      try see(2, at: 100 + second)
      for step in 0...20 { try see(step, at: 104 + Double(step) * 2) }
      #expect(writeDue == min(147, begins + 30), "\(second)")
    }
    timing.wrote()
    // Nothing had to be written, and much later there is another edit.
    try see(3, at: 500)
    try see(4, at: 502)
    #expect(writeDue == 505)
  }
}
