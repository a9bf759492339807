import TestSupport
import Testing

@testable import Settings

@Suite("What TOML has beside texts", .limited)
struct TOMLWordTests {
  @Test("A month has as many days as the calendar says, in every kind of year")
  func days() {
    let usual = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    for (year, isLeap) in [(1, false), (1900, false), (2000, true), (2023, false), (2024, true)] {
      for month in 0...13 {
        let length = usual.indices.contains(month - 1) ? usual[month - 1] : 0
        let last = isLeap && month == 2 ? 29 : length
        for day in 0...32 {
          let word = "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
          let expected = (1...max(last, 1)).contains(day) && last > 0
          #expect((TOMLWord.kind(word) != nil) == expected, "\(word)")
        }
      }
    }
    #expect(TOMLWord.kind("0000-01-01") == nil)
  }

  @Test(
    "A time ends with the last second of a day, and may have a fraction",
    arguments: [
      ("23:59:59", true), ("24:00:00", false), ("23:60:00", false), ("23:59:60", false),
      ("00:00:00", true), ("07:32", false), ("07:32:00.1", true), ("07:32:00.", false),
      ("07:32:00,1", false), ("07:32:00.a", false), ("07:32:00.1a", false), ("07.32.00", false),
    ])
  func times(word: String, isTime: Bool) {
    #expect((TOMLWord.kind(word) != nil) == isTime)
    #expect((TOMLWord.kind("1979-05-27T\(word)") != nil) == isTime)
    #expect((TOMLWord.kind("1979-05-27 \(word)z") != nil) == isTime)
  }

  @Test(
    "A zone goes as far as a day does",
    arguments: [
      ("Z", true), ("z", true), ("+23:59", true), ("-23:59", true), ("+24:00", false),
      ("+00:60", false), ("+1:00", false), ("00:00", false), ("ZZ", false), ("+00:00Z", false),
    ])
  func zones(zone: String, isZone: Bool) {
    #expect((TOMLWord.kind("1979-05-27T07:32:00\(zone)") != nil) == isZone)
    // What has no day has no zone.
    #expect(TOMLWord.kind("07:32:00\(zone)") == nil)
  }

  @Test(
    "Between a day and a time stands T or one blank, and nothing else",
    arguments: [("T", true), ("t", true), (" ", true), ("", false), ("U", false), ("TT", false)])
  func dividers(divider: String, isOne: Bool) {
    #expect((TOMLWord.kind("1979-05-27\(divider)07:32:00") != nil) == isOne)
  }

  @Test(
    "A number is told by its kind",
    arguments: [
      ("0", "a whole number"), ("-0", "a whole number"), ("+12", "a whole number"),
      ("1_0", "a whole number"), ("0xfF", "a whole number"), ("0o70", "a whole number"),
      ("0b10", "a whole number"), ("01", nil), ("00", nil), ("0x", nil), ("0o8", nil),
      ("0b2", nil), ("0xg", nil), ("-0x1", nil), ("_1", nil), ("1_", nil), ("1__0", nil),
      ("+-1", nil), ("1.5", "a number"), ("0.5", "a number"), ("00.5", nil), ("1.", nil),
      (".5", nil), ("1.5.1", nil), ("1e5", "a number"), ("1E-5", "a number"),
      ("1.5e+3", "a number"),
      ("1e", nil), ("1.5e", nil), ("e1.5", nil), ("1e5e5", nil), ("e5", nil), ("1.e5", nil),
      ("0x1e5", "a whole number"),
      ("0x1.5", nil), ("inf", "a number"), ("-nan", "a number"), ("infinity", nil), ("", nil),
      ("true", "true or false"), ("false", "true or false"), ("True", nil),
    ])
  func numbers(word: String, kind: String?) {
    #expect(TOMLWord.kind(word) == kind)
  }

  private func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
