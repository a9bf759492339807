import Glibc
import Platform
import TestSupport
import Testing

@testable import Playlists

@Suite("When an edit of a list is taken", .limited)
struct EditTimingTests {
  private let folder: TemporaryFolder
  private var timing = EditTiming()
  private var files: [Int: FileStatus] = [:]
  private static let second: Int64 = 1_000_000_000

  init() throws { folder = try TemporaryFolder() }

  private mutating func see(
    _ name: Int?, _ form: EditTiming.Form = .ended, at seconds: Double
  ) throws {
    if let name, files[name] == nil {
      files[name] = FileStatus(name: try folder.write("", to: "\(name)"), followsLinks: false)
    }
    timing.see(name.flatMap { files[$0] }, form, at: Int64(seconds * Double(Self.second)))
  }

  private var due: Double { Double(timing.due) / Double(Self.second) }
  private var writeDue: Double { Double(timing.writeDue) / Double(Self.second) }

  @Test("a second after it was last another one, five where it breaks off, ten where it is nothing")
  mutating func still() throws {
    #expect(timing.due == .max && timing.writeDue == .min)
    // MPD leaves a gap between the old one and the new one.
    for (name, form, seconds, expected) in [
      (1, .ended, 100, 101), (1, .ended, 100.5, 101), (2, .ended, 100.9, 101.9),
      (3, .unended, 101.5, 106.5), (nil, .nothing, 102, 112), (nil, .nothing, 105, 112),
      (4, .ended, 105.001, 106.001),
    ] as [(Int?, EditTiming.Form, Double, Double)] {
      try see(name, form, at: seconds)
      #expect(due == expected)
    }
    timing.forget()
    #expect(timing.due == .max)
  }

  @Test(
    "written back after three seconds without an edit, and thirty after the first at the latest")
  mutating func calm() throws {
    for step in 0...40 { try see(step, at: 100 + Double(step)) }
    #expect(writeDue == 130)
    timing = EditTiming()
    #expect(timing.writeDue == .min)
    try see(1, at: 200)
    try see(2, at: 202)
    #expect(writeDue == 205)
    timing.forget()
    #expect(writeDue == 205)
    // What comes three seconds later begins anew; a moment before that it goes on.
    for (second, begins) in [(3.0, 103.0), (2.999_999_999, 100.0)] {
      timing = EditTiming()
      try see(1, at: 100)
      try see(2, at: 100 + second)
      for step in 0...20 { try see(step, at: 104 + Double(step) * 2) }
      #expect(writeDue == min(147, begins + 30), "\(second)")
    }
    timing = EditTiming()
    // Nothing had to be written, and much later there is another edit.
    try see(3, at: 500)
    try see(4, at: 502)
    #expect(writeDue == 505)
  }
}
