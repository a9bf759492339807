/// Milliseconds since 1970 as RFC 3339 in UTC, such as 2026-11-21T05:11:02.123Z, and back.
package enum Timestamp {
  /// Years 0 to 9999; times outside are shown as the nearest inside.
  package static func text(_ milliseconds: Int64) -> String {
    let bounded = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
    let seconds = floorDivided(bounded, by: 1000)
    let days = floorDivided(seconds, by: 86_400)
    let (year, month, day) = civil(days)
    let second = seconds - days * 86_400
    return String(unsafeUninitializedCapacity: length) { text in
      var place = 0
      func put(_ number: Int64, digits: Int, _ end: Unicode.Scalar) {
        var number = number
        for digit in stride(from: place + digits - 1, through: place, by: -1) {
          text[digit] = UInt8(ascii: "0") + UInt8(number % 10)
          number /= 10
        }
        text[place + digits] = UInt8(ascii: end)
        place += digits + 1
      }
      put(year, digits: 4, "-")
      put(month, digits: 2, "-")
      put(day, digits: 2, "T")
      put(second / 3600, digits: 2, ":")
      put(second / 60 % 60, digits: 2, ":")
      put(second % 60, digits: 2, ".")
      put(bounded - seconds * 1000, digits: 3, "Z")
      return place
    }
  }

  /// Only the form that `text` writes.
  static func milliseconds(_ text: ArraySlice<UInt8>) -> Int64? {
    text.withUnsafeBufferPointer(milliseconds)
  }

  /// Bytes of a time.
  static let length = 24

  static func milliseconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    var rest = text[...]
    guard let year = number(4, "-", &rest), let month = number(2, "-", &rest),
      let day = number(2, "T", &rest), let hour = number(2, ":", &rest),
      let minute = number(2, ":", &rest), let second = number(2, ".", &rest),
      let milliseconds = number(3, "Z", &rest), rest.isEmpty,
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    let days = days(year, month, day)
    // No month but some have these: February 31st is March 3rd.
    if day > 28, civil(days).2 != day { return nil }
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
    return seconds * 1000 + milliseconds
  }

  /// Takes so many digits and what has to follow them.
  private static func number(
    _ digits: Int, _ end: Unicode.Scalar, _ rest: inout Slice<UnsafeBufferPointer<UInt8>>
  ) -> Int64? {
    var number: Int64 = 0
    for byte in rest.prefix(digits) {
      guard (0x30...0x39).contains(byte) else { return nil }
      number = number * 10 + Int64(byte - 0x30)
    }
    rest = rest.dropFirst(digits)
    return rest.popFirst() == UInt8(ascii: end) ? number : nil
  }

  private static func floorDivided(_ number: Int64, by divisor: Int64) -> Int64 {
    let quotient = number / divisor
    return number % divisor < 0 ? quotient - 1 : quotient
  }

  // The proleptic Gregorian calendar in eras of 400 years, years beginning in March.
  private static func civil(_ days: Int64) -> (Int64, Int64, Int64) {
    let shifted = days + 719_468
    let era = floorDivided(shifted, by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * marchMonth + 2) / 5 + 1
    )
  }

  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = floorDivided(year, by: 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
