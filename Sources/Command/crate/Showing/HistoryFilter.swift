import CratesInterface
import Glibc
import Text

/// Which changes of the history are shown, which come the newest first.
struct HistoryFilter {
  /// As the interface writes times; nil: all.
  var since: String?
  var isMine = false
  /// The crate's name at the time of the changes that come next.
  var crate: String?
  /// Whether all that follow are too old.
  private(set) var isOver = false

  init(since: String? = nil, isMine: Bool = false, crate: String? = nil) {
    (self.since, self.isMine, self.crate) = (since, isMine, crate)
  }

  /// Whether nothing is left out.
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

/// A day, or a time, as people name it.
enum Day {
  /// When it began, as the interface writes times.
  static func start(of text: String, now: Int = time(nil)) throws(Failure) -> String {
    var fields = tm()
    var seconds = now
    localtime_r(&seconds, &fields)
    (fields.tm_hour, fields.tm_min, fields.tm_sec) = (0, 0, 0)
    switch text.lowercased() {
    case "today": break
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
            + " may follow")
      }
      (fields.tm_year, fields.tm_mon, fields.tm_mday) =
        (numbers[0] - 1900, numbers[1] - 1, numbers[2])
      if numbers.count > 3 { (fields.tm_hour, fields.tm_min) = (numbers[3], numbers[4]) }
      if numbers.count > 5 { fields.tm_sec = numbers[5] }
    }
    // The C library finds out whether clocks were put forward then.
    fields.tm_isdst = -1
    seconds = mktime(&fields)
    gmtime_r(&seconds, &fields)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(fields.tm_year + 1900)-\(two(fields.tm_mon + 1))-\(two(fields.tm_mday))"
      + "T\(two(fields.tm_hour)):\(two(fields.tm_min)):\(two(fields.tm_sec))"
  }
}
