import Glibc

/// Converts milliseconds since 1970 to RFC 3339 in UTC, such as 2026-11-21T05:11:02.123Z, and back.
package enum Timestamp {
  private static let length = 24
  private static let form = Array("0000-00-00T00:00:00.000Z".utf8)

  /// Returns the text of a time in the years 0 to 9999. Others are shown as the nearest one of
  /// these.
  package static func text(_ milliseconds: Int64) -> String {
    let bounded = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
    let rest = (bounded % 1000 + 1000) % 1000
    var seconds = time_t((bounded - rest) / 1000)
    var fields = tm()
    gmtime_r(&seconds, &fields)
    return text(fields, milliseconds: Int32(rest))
  }

  /// Returns a time in the local zone, that is, the one that `TZ` or the system sets: `2026-11-21
  /// 10:07:17`. Outside the years 0 to 9999, returns the number of seconds.
  ///
  /// - Parameter seconds: seconds since 1970.
  package static func wallClock(_ seconds: Int) -> String {
    var time = time_t(seconds)
    var fields = tm()
    guard localtime_r(&time, &fields) != nil, (-1900..<8100).contains(fields.tm_year) else {
      return String(seconds)
    }
    let text = text(fields, milliseconds: 0)
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
  }

  /// - Parameter fields: a time in a year from 0 to 9999.
  private static func text(_ fields: tm, milliseconds: Int32) -> String {
    String(unsafeUninitializedCapacity: length) { text in
      _ = text.initialize(fromContentsOf: form)
      /// Writes digits in place of zeros, the last one first.
      func put(_ number: Int32, endingAt end: Int) {
        var (number, place) = (number, end)
        while number > 0 {
          text[place] += UInt8(number % 10)
          (number, place) = (number / 10, place - 1)
        }
      }
      put(fields.tm_year + 1900, endingAt: 3)
      put(fields.tm_mon + 1, endingAt: 6)
      put(fields.tm_mday, endingAt: 9)
      put(fields.tm_hour, endingAt: 12)
      put(fields.tm_min, endingAt: 15)
      put(fields.tm_sec, endingAt: 18)
      put(milliseconds, endingAt: 22)
      return length
    }
  }

  /// Parses a time. Returns nil for any other form than that of `text`, and for a date or time that
  /// doesn't exist, such as February 30th.
  package static func milliseconds(_ text: ArraySlice<UInt8>) -> Int64? {
    text.withUnsafeBufferPointer(milliseconds)
  }

  private static func milliseconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text.count == length else { return nil }
    for (byte, wanted) in zip(text, form) {
      guard byte == wanted || (wanted == 0x30 && (0x31...0x39).contains(byte)) else { return nil }
    }
    func number(_ places: Range<Int>) -> Int32 {
      text[places].reduce(0) { $0 * 10 + Int32($1 - 0x30) }
    }
    var fields = tm()
    fields.tm_year = number(0..<4) - 1900
    (fields.tm_mon, fields.tm_mday) = (number(5..<7) - 1, number(8..<10))
    (fields.tm_hour, fields.tm_min) = (number(11..<13), number(14..<16))
    fields.tm_sec = number(17..<19)
    let read = (fields.tm_mon, fields.tm_mday, fields.tm_hour, fields.tm_min, fields.tm_sec)
    // It turns February 30th into March 2nd.
    let seconds = Int64(timegm(&fields))
    guard read == (fields.tm_mon, fields.tm_mday, fields.tm_hour, fields.tm_min, fields.tm_sec)
    else { return nil }
    return seconds * 1000 + Int64(number(20..<23))
  }
}
