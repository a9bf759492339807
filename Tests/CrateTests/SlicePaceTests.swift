import TestSupport
import Testing

@testable import crate

@Suite("The pace of covers", .limited)
struct SlicePaceTests {
  /// A terminal at the other end of a line, which answers when it has taken what was sent.
  struct Line {
    /// Nanoseconds there and back.
    var latency: Int64
    var bytesPerSecond: Int64
    /// Bytes of text that are on their way at the beginning.
    var text: Int64 = 0
  }

  /// Sends as the browser does.
  ///
  /// - Returns: the largest slice, in bytes, and seconds until all were sent.
  static func send(_ line: Line, bytes total: Int = 2 << 20) -> (most: Int, seconds: Double) {
    var (pace, now, sent, most) = (SlicePace(), Int64(0), 0, 0)
    var taken = line.text * 1_000_000_000 / line.bytesPerSecond
    var answers: [Int64] = []
    while sent < total {
      if let until = pace.waitsUntil {
        if let answer = answers.first, answer <= until {
          now = max(now, answer)
          answers.removeFirst()
          pace.answer(at: now)
        } else {
          now = until
          pace.giveUp()
        }
        continue
      }
      let isQuestion = pace.wantsLatency
      let bytes = isQuestion ? 0 : pace.most
      (sent, most) = (sent + bytes, max(most, bytes))
      pace.ask(behindBytes: !isQuestion, at: now)
      taken = max(now, taken) + Int64(bytes) * 1_000_000_000 / line.bytesPerSecond
      answers.append(taken + line.latency)
    }
    return (most, Double(now) / 1e9)
  }

  @Test("A terminal that is near is given much at once")
  func near() {
    #expect(Self.send(Line(latency: 100_000, bytesPerSecond: 100_000_000)).most == 32 << 10)
  }

  @Test("One that is far away is, too, if its line is fast", arguments: [20, 80, 300])
  func far(milliseconds: Int64) {
    let line = Line(latency: milliseconds * 1_000_000, bytesPerSecond: 10_000_000)
    let sent = Self.send(line)
    #expect(sent.most == 32 << 10)
    // At 1 KB for each answer it would be 41 seconds and more.
    #expect(sent.seconds < 25)
  }

  @Test(
    "At 64 KB/s no more is on its way than goes through in a moment, however far it goes",
    arguments: [0, 5, 80, 300])
  func slow(milliseconds: Int64) {
    // Behind a screen of text the first answer is late.
    for text: Int64 in [0, 6_000] {
      let line = Line(latency: milliseconds * 1_000_000, bytesPerSecond: 64_000, text: text)
      #expect(Self.send(line, bytes: 1 << 17).most == 1 << 10)
    }
  }

  @Test("Silence is no sign of a fast one, and one that has answered is waited for longer")
  func silent() throws {
    var pace = SlicePace()
    pace.ask(behindBytes: false, at: 0)
    #expect(pace.waitsUntil == 50_000_000)
    pace.giveUp()
    #expect(!pace.wantsLatency && pace.most == 1 << 10 && pace.waitsUntil == nil)
    // What comes unasked means nothing.
    for now in 0..<20 { pace.answer(at: Int64(now)) }
    #expect(pace.most == 1 << 10)
    pace.begin()
    pace.ask(behindBytes: false, at: 0)
    pace.answer(at: 40_000_000)
    #expect(pace.wantsLatency)
    pace.ask(behindBytes: true, at: 0)
    #expect(pace.waitsUntil == 1_000_000_000)
    pace.answer(at: 40_000_000)
    #expect(pace.most == 2 << 10)
    pace.giveUp()
    #expect(pace.most == 1 << 10)
  }
}
