import Platform
import TestSupport
import Testing

@Suite("Times as text", .limited)
struct TimestampTests {
  @Test(
    "Times are written as RFC 3339",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (1_795_237_862_123, "2026-11-21T05:11:02.123Z"),
      (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (.max, "9999-12-31T23:59:59.999Z"), (.min, "0000-01-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func timestamps(milliseconds: Int64, text: String) {
    #expect(Timestamp.text(milliseconds) == text)
    let bounded = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
    #expect(Timestamp.milliseconds(Array(text.utf8)[...]) == bounded)
  }

  @Test("Every time can be read again")
  func everyTime() {
    var random = SeededGenerator(usually: 12)
    for _ in 0..<2000 {
      let time = Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random)
      let text = Timestamp.text(time)
      #expect(Timestamp.milliseconds(Array(text.utf8)[...]) == time, "\(text) \(random)")
    }
  }

  @Test(
    "Other forms of a time are refused",
    arguments: [
      "", "2026-11-21", "2026-11-21T05:11:02Z", "2026-13-21T05:11:02.123Z",
      "2026-11-21T25:11:02.123Z", "2026-11-21 05:11:02.123Z", "+026-11-21T05:11:02.123Z",
      "2026-02-29T05:11:02.123Z", "2026-04-31T05:11:02.123Z", "2026-11-00T05:11:02.123Z",
    ])
  func badTimes(text: String) {
    #expect(Timestamp.milliseconds(Array(text.utf8)[...]) == nil)
  }

  @Test("Each part of a time ends where the clock and the calendar end it")
  func times() {
    func isTime(_ text: String) -> Bool { Timestamp.milliseconds(Array(text.utf8)[...]) != nil }
    for good in [
      "2026-01-01T00:00:00.000Z", "2026-12-31T23:59:59.999Z", "2024-02-29T00:00:00.000Z",
      "2000-02-29T00:00:00.000Z", "2026-11-30T00:00:00.000Z", "2026-02-28T00:00:00.000Z",
    ] { #expect(isTime(good), "\(good)") }
    for bad in [
      "2026-00-01T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "2026-01-00T00:00:00.000Z",
      "2026-01-32T00:00:00.000Z", "2026-01-01T24:00:00.000Z", "2026-01-01T00:60:00.000Z",
      "2026-01-01T00:00:60.000Z", "1900-02-29T00:00:00.000Z", "2024-02-30T00:00:00.000Z",
      "2026-11-31T00:00:00.000Z", "2026-01-01T00:00:00.000Z ", "2026-01-01T00:00:00.000",
      "2026-01-01T00:00:00.000z", "202/-01-01T00:00:00.000Z", "202:-01-01T00:00:00.000Z",
    ] { #expect(!isTime(bad), "\(bad)") }
  }

  @Test("What no calendar has is shown in seconds, not as a time of the clock on the wall")
  func wallClock() {
    for far in [Int.min, -70_000_000_000, 260_000_000_000, .max] {
      #expect(Timestamp.wallClock(far) == String(far))
    }
    // Wherever the machine stands, seconds are the same.
    let text = Timestamp.wallClock(1_795_237_862)
    #expect(text.hasPrefix("2026-11-2") && text.hasSuffix(":02") && text.utf8.count == 19)
    #expect(Timestamp.wallClock(-1).hasSuffix(":59"))
  }
}
