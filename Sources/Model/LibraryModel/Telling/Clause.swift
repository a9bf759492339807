/// One clause of a description: `Blue Train is on top of Jazz`.
struct Clause {
  enum Verb {
    /// The present state.
    case be
    /// An action in the past.
    case done
    case have

    func text(isPlural: Bool, isDryRun: Bool) -> String {
      switch self {
      case .be: isDryRun ? "would be" : isPlural ? "are" : "is"
      case .done: isDryRun ? "would be" : isPlural ? "were" : "was"
      case .have: isDryRun ? "would have" : isPlural ? "have" : "has"
      }
    }
  }

  var subject: Names
  var verb: Verb
  var rest: String

  init(_ subject: Names, _ verb: Verb, _ rest: String) {
    (self.subject, self.verb, self.rest) = (subject, verb, rest)
  }

  /// - Parameter isDryRun: whether it is the result of a dry run.
  func text(isDryRun: Bool) -> String {
    "\(subject.text) \(verb.text(isPlural: subject.isPlural, isDryRun: isDryRun)) \(rest)"
  }
}

/// The names of things in a sentence: up to four, and the number of the others.
struct Names {
  static let namedMost = 4
  /// The most characters of a name. Longer names are cut.
  static let longestName = 60

  var text: String
  var isPlural: Bool

  /// Creates the name of one thing, or of several that have been counted already.
  init(_ text: String, isPlural: Bool = false) {
    (self.text, self.isPlural) = (text, isPlural)
  }

  /// - Parameters:
  ///   - first: the names of the first things. At most four are used.
  ///   - count: the number of things.
  init(_ first: some Sequence<String>, of count: Int) {
    let named = first.prefix(Self.namedMost).map(Self.cut)
    let more = count - named.count
    isPlural = count != 1
    if more > 0 {
      text = named.isEmpty ? "\(count)" : "\(named.joined(separator: ", ")) and \(more) more"
    } else {
      text = Self.joined(named)
    }
  }

  init(_ all: [String]) { self.init(all, of: all.count) }

  /// Returns `A`, `A and B` or `A, B and C`.
  static func joined(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }

  static func cut(_ name: String) -> String {
    name.count <= longestName ? name : "\(name.prefix(longestName - 1))…"
  }
}

/// Returns `1 song` or `2,787 songs`.
func counted(_ count: Int, _ one: String) -> String {
  "\(grouped(count)) \(one)\(count == 1 ? "" : "s")"
}

/// Returns a number with thousands separators.
private func grouped(_ count: Int) -> String {
  let digits = Array(String(count))
  var text = ""
  for (place, digit) in digits.enumerated() {
    if place > 0, (digits.count - place) % 3 == 0 { text.append(",") }
    text.append(digit)
  }
  return text
}
