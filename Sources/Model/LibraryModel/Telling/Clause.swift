/// What a sentence says of some things: `Blue Train is on top of Jazz`.
struct Clause {
  enum Verb {
    /// How something is now.
    case be
    /// What was done to it.
    case done
    case have

    func text(isPlural: Bool, isTrial: Bool) -> String {
      switch self {
      case .be: isTrial ? "would be" : isPlural ? "are" : "is"
      case .done: isTrial ? "would be" : isPlural ? "were" : "was"
      case .have: isTrial ? "would have" : isPlural ? "have" : "has"
      }
    }
  }

  var subject: Names
  var verb: Verb
  var rest: String

  init(_ subject: Names, _ verb: Verb, _ rest: String) {
    (self.subject, self.verb, self.rest) = (subject, verb, rest)
  }

  /// - Parameter isTrial: it has not happened, and may not.
  func text(isTrial: Bool) -> String {
    "\(subject.text) \(verb.text(isPlural: subject.isPlural, isTrial: isTrial)) \(rest)"
  }
}

/// Things as a sentence names them: up to four, and how many more.
struct Names {
  static let namedMost = 4
  /// Characters of a name; of a longer one the beginning is told.
  static let longestName = 60

  var text: String
  var isPlural: Bool

  /// One thing, or several that have been counted already.
  init(_ text: String, isPlural: Bool = false) {
    (self.text, self.isPlural) = (text, isPlural)
  }

  /// - Parameters:
  ///   - first: the names of the first ones; more than four are not looked at.
  ///   - count: how many there are.
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

  /// `A`, `A and B`, `A, B and C`
  static func joined(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }

  static func cut(_ name: String) -> String {
    name.count <= longestName ? name : "\(name.prefix(longestName - 1))…"
  }
}

/// `1 song`, `2,787 songs`
func counted(_ count: Int, _ one: String) -> String {
  "\(grouped(count)) \(one)\(count == 1 ? "" : "s")"
}

/// A number with a comma for each three digits.
private func grouped(_ count: Int) -> String {
  let digits = Array(String(count))
  var text = ""
  for (place, digit) in digits.enumerated() {
    if place > 0, (digits.count - place) % 3 == 0 { text.append(",") }
    text.append(digit)
  }
  return text
}
