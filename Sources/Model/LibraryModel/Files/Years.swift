/// The year when this was written. Years up to it are always accepted, even on a machine whose
/// clock is stuck at 1970.
private let certainYear = 2027

/// Returns the year of a date in a tag: of a leading date (`1999`, `1999-00-00`, `20141108`), else
/// the first number of exactly four digits between 1000 and the latest year.
///
/// - Parameter latest: evaluated only if the digits are a year that may be in the future.
func year(in date: String, latest: @autoclosure () -> Int) -> Int? {
  var rest = date.utf8[...]
  while !rest.isEmpty {
    let digits = rest.prefix { isDigit($0) }
    if digits.count == 4 || digits.startIndex == date.startIndex && isCompactDate(digits) {
      let year = number(digits.prefix(4))
      if year >= 1000, year <= certainYear || year <= latest() { return year }
    }
    rest = rest[digits.endIndex...].drop { !isDigit($0) }
  }
  return nil
}

/// Whether the digits are a date such as `20141108`. An unknown month or day is 00.
private func isCompactDate(_ digits: Substring.UTF8View) -> Bool {
  digits.count == 8 && number(digits.dropFirst(4).prefix(2)) <= 12
    && number(digits.dropFirst(6)) <= 31
}

private func number(_ digits: Substring.UTF8View) -> Int {
  digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

extension FileStamp {
  /// The year of the file's last change, accurate to a day.
  var yearOfChange: Int { 1970 + Int(changed / (31_556_952 * 1_000_000_000)) }
}
