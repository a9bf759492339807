import CratesInterface
import Platform

/// Values in the form people read them in.
enum Shown {
  /// The text with every character made visible that would move the cursor, colour the terminal or
  /// turn the direction of writing.
  static func harmless(_ text: String) -> String { text.harmless }

  /// `1,234`
  static func count(_ count: Int) -> String {
    var digits = String(count.magnitude)
    var groups: [Substring] = []
    while digits.count > 3 {
      groups.insert(digits.suffix(3), at: 0)
      digits.removeLast(3)
    }
    groups.insert(digits[...], at: 0)
    return (count < 0 ? "-" : "") + groups.joined(separator: ",")
  }

  /// `1 song`, `2 songs`
  static func count(_ count: Int, _ one: String) -> String {
    "\(self.count(count)) \(one)\(count == 1 ? "" : "s")"
  }

  /// `A`, `A or B`, `A, B or C`
  static func either(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) or \(last)"
  }

  /// The text as one word of a command line.
  static func word(_ text: String) -> String {
    !text.isEmpty && text.utf8.allSatisfy(isPlain) ? text : quoted(text)
  }

  /// A name that needs no quotes, as several words of a command line, or in quotes.
  static func words(_ text: String) -> String {
    if text.split(separator: " ").allSatisfy({ $0.utf8.allSatisfy(isPlain) }) { return text }
    let hasApostrophe = text.contains("'")
    // Easier to read than the same in single quotes, where nothing else means something in double.
    return hasApostrophe && !text.contains(where: { "\"$`\\!".contains($0) })
      ? "\"\(text)\"" : quoted(text)
  }

  /// The text in quotes, as a command line has it.
  static func quoted(_ text: String) -> String {
    let inner = text.split(separator: "'", omittingEmptySubsequences: false)
    return "'\(inner.joined(separator: "'\\''"))'"
  }

  /// Whether it means nothing but itself to a shell.
  static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "-")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ","):
      true
    default: false
    }
  }

  /// Who made a change: `you`, `folder`, or by what or where the person made it, as `by Jazz.m3u`
  /// or `on laptop`.
  static func author(of change: Interface.Change) -> String {
    if change.author == .machine { return "on \(harmless(change.origin ?? "another machine"))" }
    if let origin = change.origin { return "by \(harmless(origin))" }
    return change.author == .person ? "you" : "folder"
  }

  /// Why nothing is listed although there was music; nil where anything is, or never was.
  static func allGone(_ status: Interface.LibraryStatus) -> String? {
    guard status.songs == 0, status.gone > 0 else { return nil }
    return "all music is gone from its folders; places are kept for \(count(status.gone, "song"))"
  }

  /// What is said of music folders that are away, a line each.
  static func offline(_ status: Interface.LibraryStatus) -> [String] {
    status.folders.filter { $0.state == .offline }.map { folder in
      harmless("\(folder.path) is offline; its albums keep their places")
    }
  }

  /// What is said of something that is not there.
  static func mark(_ presence: Interface.Presence) -> String {
    presence == .present ? "" : presence.rawValue
  }

  /// `3:07`, `1:02:03`; empty where it is not known.
  static func duration(_ seconds: Double) -> String {
    guard seconds > 0, let whole = Int(exactly: seconds.rounded()) else { return "" }
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    let tail = rest < 10 ? "0\(rest)" : "\(rest)"
    guard hours > 0 else { return "\(minutes):\(tail)" }
    return "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(tail)"
  }

  /// A time of the interface (RFC 3339 in UTC) as the clock on the wall has it:
  /// `2026-11-21 10:07:17`. What is no such time is shown as it is.
  static func time(_ text: String) -> String {
    // Other daemons than ours may leave out the fraction.
    let isWhole = text.utf8.count != 20 || !text.hasSuffix("Z")
    let whole = isWhole ? text : "\(text.dropLast()).000Z"
    let milliseconds = Timestamp.milliseconds(Array(whole.utf8)[...])
    return milliseconds.map { Timestamp.wallClock(Int($0 / 1000)) } ?? harmless(text)
  }
}
