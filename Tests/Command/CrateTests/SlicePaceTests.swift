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

  /// One that has answered at once twice, and was given so many slices that it took at once.
  private func near(after slices: Int) -> SlicePace {
    var pace = SlicePace()
    for _ in 0..<2 {
      pace.ask(behindBytes: false, at: 0)
      pace.answer(at: 1_000_000)
    }
    for _ in 0..<slices {
      pace.ask(behindBytes: true, at: 0)
      pace.answer(at: 1_000_000)
    }
    return pace
  }

  @Test("In less than four milliseconds it is fast, and in more than sixteen it is slow")
  func limits() {
    // Without the one millisecond that an answer takes by itself.
    for (took, most) in [
      (0, 8), (4_999_999, 8), (5_000_000, 4), (17_000_000, 4), (17_000_001, 2),
      (900_000_000, 2),
    ] as [(Int64, Int)] {
      var pace = near(after: 2)
      #expect(pace.most == 4 << 10)
      pace.ask(behindBytes: true, at: 7)
      pace.answer(at: 7 + took)
      #expect(pace.most == most << 10, "\(took)")
    }
  }

  @Test("A slice is never larger than 32 KiB, nor smaller than one")
  func ends() {
    #expect((0..<8).map { near(after: $0).most >> 10 } == [1, 2, 4, 8, 16, 32, 32, 32])
    var pace = near(after: 1)
    for most in [1, 1] {
      pace.ask(behindBytes: true, at: 0)
      pace.answer(at: 500_000_000)
      #expect(pace.most == most << 10)
    }
  }

  @Test("It is asked twice how long an answer takes, or once if that is less than 4 milliseconds")
  func latency() {
    for (took, isAsked) in [(0, false), (3_999_999, false), (4_000_000, true)] as [(Int64, Bool)] {
      var pace = SlicePace()
      for round in 0..<2 {
        if round == 1 { pace.begin() }
        #expect(pace.wantsLatency)
        pace.ask(behindBytes: false, at: 9)
        pace.answer(at: 9 + took)
        #expect(pace.wantsLatency == isAsked && pace.waitsUntil == nil)
        pace.ask(behindBytes: false, at: 9)
        pace.answer(at: 9 + took)
        #expect(!pace.wantsLatency)
      }
      // The later answer counts.
      pace.ask(behindBytes: false, at: 0)
      pace.answer(at: 100_000_000)
      pace.ask(behindBytes: true, at: 0)
      pace.answer(at: 103_999_999)
      #expect(pace.most == 2 << 10)
    }
  }

  @Test("Each answer that was not waited for is let pass when it comes at last, 64 at most")
  func late() {
    for (count, passing) in [(0, 0), (1, 1), (2, 2), (63, 63), (64, 64), (65, 64), (200, 64)] {
      var pace = SlicePace()
      for _ in 0..<count {
        pace.ask(behindBytes: true, at: 0)
        pace.giveUp()
      }
      pace.ask(behindBytes: true, at: 0)
      var passed = 0
      while true {
        pace.answer(at: 1)
        if pace.waitsUntil == nil { break }
        passed += 1
        // It does answer, and has to be asked how far away it is.
        #expect(pace.wantsLatency && pace.waitsUntil == 1_000_000_000)
      }
      #expect(passed == passing, "\(count)")
    }
  }

  @Test("One that has answered and then doesn't is as one that never did, and no answer is late")
  func silentAgain() {
    var pace = near(after: 3)
    pace.ask(behindBytes: true, at: 0)
    #expect(pace.waitsUntil == 1_000_000_000)
    pace.giveUp()
    #expect(pace.most == 1 << 10 && !pace.wantsLatency)
    pace.ask(behindBytes: true, at: 0)
    #expect(pace.waitsUntil == 50_000_000)
    // The latency from before counts no longer: by itself this would be fast.
    pace.answer(at: 4_000_000)
    #expect(pace.waitsUntil == nil && pace.most == 1 << 10 && !pace.wantsLatency)
  }
}
