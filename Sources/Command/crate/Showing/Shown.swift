import CratesInterface
import Platform

/// Formats values for the user.
enum Shown {
  /// Replaces characters that would move the cursor, change the terminal's colours or reverse the
  /// writing direction.
  static func harmless(_ text: String) -> String { text.harmless }

  /// For example `1,234`.
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

  /// For example `1 song` or `2 songs`.
  static func count(_ count: Int, _ one: String) -> String {
    "\(self.count(count)) \(one)\(count == 1 ? "" : "s")"
  }

  /// For example `A`, `A or B`, or `A, B or C`.
  static func either(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) or \(last)"
  }

  /// Quotes a text as one word of a command line if necessary.
  static func word(_ text: String) -> String {
    !text.isEmpty && text.utf8.allSatisfy(isPlain) ? text : quoted(text)
  }

  /// Returns a name as several bare words of a command line, or in quotes if necessary.
  static func words(_ text: String) -> String {
    if text.split(separator: " ").allSatisfy({ $0.utf8.allSatisfy(isPlain) }) { return text }
    let hasApostrophe = text.contains("'")
    // More readable than single quotes, and safe if no other character is special in double quotes.
    return hasApostrophe && !text.contains(where: { "\"$`\\!".contains($0) })
      ? "\"\(text)\"" : quoted(text)
  }

  /// Quotes a text for a command line.
  static func quoted(_ text: String) -> String {
    let inner = text.split(separator: "'", omittingEmptySubsequences: false)
    return "'\(inner.joined(separator: "'\\''"))'"
  }

  /// Whether the byte has no special meaning to a shell.
  static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "-")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ","):
      true
    default: false
    }
  }

  /// The author of a change: `you`, `folder`, or its origin, as in `by Jazz.m3u` or `on laptop`.
  static func author(of change: Interface.Change) -> String {
    if change.author == .machine { return "on \(harmless(change.origin ?? "another machine"))" }
    if let origin = change.origin { return "by \(harmless(origin))" }
    return change.author == .person ? "you" : "folder"
  }

  /// Returns the reason why nothing is listed, if all music is gone; otherwise nil.
  static func allGone(_ status: Interface.LibraryStatus) -> String? {
    guard status.songs == 0, status.gone > 0 else { return nil }
    return "all music is gone from its folders; places are kept for \(count(status.gone, "song"))"
  }

  /// Returns a line for each offline music folder.
  static func offline(_ status: Interface.LibraryStatus) -> [String] {
    status.folders.filter { $0.state == .offline }.map { folder in
      let what = folder.songs > 0 ? "its albums keep their places" : "crate problems says why"
      return harmless("\(folder.path) is offline; \(what)")
    }
  }

  /// Returns the mark of a thing that is not present.
  static func mark(_ presence: Interface.Presence) -> String {
    presence == .present ? "" : presence.rawValue
  }

  /// For example `3:07` or `1:02:03`; empty if the duration is unknown.
  static func duration(_ seconds: Double) -> String {
    guard seconds > 0, let whole = Int(exactly: seconds.rounded()) else { return "" }
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    let tail = rest < 10 ? "0\(rest)" : "\(rest)"
    guard hours > 0 else { return "\(minutes):\(tail)" }
    return "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(tail)"
  }

  /// Converts a time of the interface (RFC 3339 in UTC) to local time: `2026-11-21 10:07:17`. Other
  /// texts are returned as they are.
  static func time(_ text: String) -> String {
    // Other implementations of the daemon may leave out the fraction.
    let isWhole = text.utf8.count != 20 || !text.hasSuffix("Z")
    let whole = isWhole ? text : "\(text.dropLast()).000Z"
    let milliseconds = Timestamp.milliseconds(Array(whole.utf8)[...])
    return milliseconds.map { Timestamp.wallClock(Int($0 / 1000)) } ?? harmless(text)
  }
}
