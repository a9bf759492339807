/// Recognizes the values of TOML that are no texts, lists or tables, so that an error can say what
/// was found where a text belongs.
enum TOMLWord {
  /// Returns a description of the value; nil if the word is no value.
  static func kind(_ word: String) -> String? {
    if word == "true" || word == "false" { return "true or false" }
    let bytes = Array(word.utf8)
    if isWholeNumber(bytes[...]) { return "a whole number" }
    if isNumber(bytes[...]) { return "a number" }
    return isDateOrTime(bytes[...]) ? "a date or time" : nil
  }

  private static func isWholeNumber(_ word: ArraySlice<UInt8>) -> Bool {
    for (prefix, digits) in [("0x", "0123456789abcdefABCDEF"), ("0o", "01234567"), ("0b", "01")]
    where word.starts(with: prefix.utf8) {
      return areDigits(word.dropFirst(2), of: digits)
    }
    let digits = withoutSign(word)
    return areDigits(digits) && (digits.count == 1 || digits.first != UInt8(ascii: "0"))
  }

  private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
    let unsigned = withoutSign(word)
    if unsigned.elementsEqual("inf".utf8) || unsigned.elementsEqual("nan".utf8) { return true }
    let parts = unsigned.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 | 0x20 == 0x65 })
    let places = (parts.first ?? []).split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = places.first, isWholeNumber(whole), areDigits(whole) else { return false }
    if places.count == 2 && !areDigits(places[1]) { return false }
    return parts.count == 1 ? places.count == 2 : areDigits(withoutSign(parts[1]))
  }

  private static func withoutSign(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    word.first.map { "+-".utf8.contains($0) } == true ? word.dropFirst() : word
  }

  /// Returns whether all characters are digits, with single underscores between them.
  private static func areDigits(
    _ word: ArraySlice<UInt8>, of digits: String = "0123456789"
  ) -> Bool {
    word.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && part.allSatisfy(digits.utf8.contains)
    }
  }

  // MARK: Dates

  private static func isDateOrTime(_ word: ArraySlice<UInt8>) -> Bool {
    guard isDay(word.prefix(10)) else { return isTime(word) }
    let rest = word.dropFirst(10)
    guard let divider = rest.first else { return true }
    guard "Tt ".utf8.contains(divider) else { return false }
    return isTime(withoutZone(rest.dropFirst()))
  }

  static func isDay(_ word: ArraySlice<UInt8>) -> Bool {
    guard let numbers = numbers(word, "nnnn-nn-nn") else { return false }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return year > 0 && (1...12).contains(month) && (1...days[month - 1]).contains(day)
  }

  private static func isTime(_ word: ArraySlice<UInt8>) -> Bool {
    guard let numbers = numbers(word.prefix(8), "nn:nn:nn"), numbers[0] < 24, numbers[1] < 60,
      numbers[2] < 60
    else { return false }
    let rest = word.dropFirst(8)
    return rest.isEmpty
      || (rest.first == UInt8(ascii: ".") && rest.count > 1
        && rest.dropFirst().allSatisfy("0123456789".utf8.contains))
  }

  private static func withoutZone(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    if word.last.map({ "Zz".utf8.contains($0) }) == true { return word.dropLast() }
    let zone = word.suffix(6)
    guard let sign = zone.first, "+-".utf8.contains(sign),
      let numbers = numbers(zone.dropFirst(), "nn:nn"), numbers[0] < 24, numbers[1] < 60
    else { return word }
    return word.dropLast(6)
  }

  /// Returns the numbers in the word if it has the form.
  private static func numbers(_ word: ArraySlice<UInt8>, _ form: String) -> [Int]? {
    guard word.count == form.utf8.count else { return nil }
    var numbers = [0]
    for (byte, sign) in zip(word, form.utf8) {
      if sign != UInt8(ascii: "n") {
        guard byte == sign else { return nil }
        numbers.append(0)
      } else {
        guard (0x30...0x39).contains(byte) else { return nil }
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - 0x30)
      }
    }
    return numbers
  }
}
