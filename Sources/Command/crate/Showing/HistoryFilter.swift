import CratesInterface
import Glibc
import Platform
import Text

/// Selects changes of the history, from the newest to the oldest.
struct HistoryFilter {
  /// The earliest time, in the interface's format; nil: no limit.
  var since: String?
  var isMine = false
  /// The name that the crate had at the time of the next change.
  var crate: String?
  /// Whether all further changes are too old.
  private(set) var isOver = false

  init(since: String? = nil, isMine: Bool = false, crate: String? = nil) {
    (self.since, self.isMine, self.crate) = (since, isMine, crate)
  }

  /// Whether every change passes.
  var isOfAll: Bool { since == nil && !isMine && crate == nil }

  mutating func takes(_ change: Interface.Change) -> Bool {
    if let since, change.time < since { isOver = true }
    if isOver || isMine && change.author != .person { return false }
    guard let crate else { return true }
    let isOfCrate = change.crates.contains { folded($0) == folded(crate) }
    for move in change.moves where move.crate.map({ folded($0) }) == folded(crate) {
      if let was = move.was { self.crate = was }
    }
    return isOfCrate
  }
}

/// Parsing of days and times as they are typed.
enum Day {
  private static func isDate(_ word: Substring) -> Bool { word.first?.isNumber == true }

  /// Parses `14:50` or `14:50:12`; nil for anything else.
  private static func clockTime(_ word: Substring) -> (Int32, Int32, Int32)? {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int32($0) }
    guard numbers.count == parts.count, [2, 3].contains(numbers.count),
      (0...23).contains(numbers[0]), numbers[1...].allSatisfy({ (0...59).contains($0) })
    else { return nil }
    return (numbers[0], numbers[1], numbers.count > 2 ? numbers[2] : 0)
  }

  /// Returns the start of a day or time, in the interface's format.
  static func start(of text: String, now: Int = time(nil)) throws(Failure) -> String {
    var fields = tm()
    var seconds = now
    localtime_r(&seconds, &fields)
    (fields.tm_hour, fields.tm_min, fields.tm_sec) = (0, 0, 0)
    var words = text.lowercased().split(separator: " ")
    // A time alone is today's.
    if let last = words.last, let clock = clockTime(last), words.count < 2 || !isDate(words[0]) {
      (fields.tm_hour, fields.tm_min, fields.tm_sec) = clock
      words.removeLast()
    }
    switch words.joined(separator: " ") {
    case "today": break
    case "" where !text.isEmpty: break
    case "yesterday": fields.tm_mday -= 1
    default:
      let parts = text.split { $0 == "-" || $0 == ":" || $0 == " " || $0 == "T" }
      let numbers = parts.compactMap { Int32($0) }
      guard numbers.count == parts.count, [3, 5, 6].contains(numbers.count),
        (1000...9999).contains(numbers[0]), (1...12).contains(numbers[1]),
        (1...31).contains(numbers[2])
      else {
        throw .wrongUse(
          "“\(text)” is no day; write today, yesterday or a date such as 2026-11-28, which a time"
            + " such as 14:50 may follow")
      }
      (fields.tm_year, fields.tm_mon, fields.tm_mday) =
        (numbers[0] - 1900, numbers[1] - 1, numbers[2])
      if numbers.count > 3 { (fields.tm_hour, fields.tm_min) = (numbers[3], numbers[4]) }
      if numbers.count > 5 { fields.tm_sec = numbers[5] }
    }
    // mktime(3) determines whether daylight saving time was in effect.
    fields.tm_isdst = -1
    return String(Timestamp.text(Int64(mktime(&fields)) * 1000).prefix(19))
  }
}
