/// Keeps from the TOML library what it would not survive, or would misread in silence.
///
/// toml++ asserts some of what it expects of its input. A typing error in the settings would end
/// the daemon, where it is to be told with its line.
enum TOMLScreening {
  struct Fault {
    var line: Int
    var reason: String
    var advice: String
  }

  /// Bounds how deep dotted keys can nest, which the library descends into by recursion.
  private static let mostBytesInLine = 8192

  static func fault(in text: String, lines: [Substring]) -> Fault? {
    for (index, line) in lines.enumerated() {
      if line.utf8.count > mostBytesInLine {
        return Fault(
          line: index + 1, reason: "the line is longer than \(mostBytesInLine) bytes",
          advice: "break it into several")
      }
      // It would cut the text there.
      if line.contains("\\u0000") || line.contains("\\U00000000") {
        return Fault(line: index + 1, reason: "it holds an escaped NUL", advice: "take it out")
      }
      if isNamelessTable(line) {
        return Fault(
          line: index + 1, reason: "it is not TOML: “[” and no name after it",
          advice: "remove the line; no setting is a table")
      }
    }
    return strayWord(in: text)
  }

  private static func isNamelessTable(_ line: Substring) -> Bool {
    let marks = line.unicodeScalars.drop { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
    guard marks.first == "[" else { return false }
    let brackets = marks.starts(with: "[[".unicodeScalars) ? 2 : 1
    let name = marks.dropFirst(brackets).drop { $0 == " " || $0 == "\t" }
    guard let first = name.first else { return true }
    return !isWordCharacter(first) && first != "\"" && first != "'"
  }

  /// What stands outside texts and comments and is neither a name nor a whole value. A table in
  /// braces is none either: the library asserts that braces come in pairs.
  private static func strayWord(in text: String) -> Fault? {
    var rest = text.unicodeScalars[...]
    var line = 1
    while let first = rest.first {
      let start = rest.startIndex
      if first == "#" {
        rest = rest.drop { $0 != "\n" }
      } else if first == "\"" || first == "'" {
        rest = afterText(rest, quote: first)
      } else if isWordCharacter(first) || "+.:".unicodeScalars.contains(first) {
        rest = rest.drop { isWordCharacter($0) || "+.:".unicodeScalars.contains($0) }
        let word = String(text.unicodeScalars[start..<rest.startIndex])
        if !isName(word) && !isValue(word) {
          return Fault(
            line: line, reason: "it is not TOML: “\(word)” is neither a number nor a date",
            advice: "write texts in double quotes")
        }
      } else if first == "{" || first == "}" {
        return Fault(
          line: line, reason: "“\(first)” belongs to a table, and no setting is a table",
          advice: "write a text in double quotes, or a list of texts")
      } else {
        rest = rest.dropFirst()
      }
      line += text.unicodeScalars[start..<rest.startIndex].count { $0 == "\n" }
    }
    return nil
  }

  private static func afterText(
    _ rest: Substring.UnicodeScalarView, quote: Unicode.Scalar
  ) -> Substring.UnicodeScalarView {
    let quotes = rest.prefix { $0 == quote }.count
    // An empty text, or one in three quotes; up to two more belong to what it holds.
    if quotes == 2 || quotes >= 6 { return rest.dropFirst(quotes) }
    let isLong = quotes >= 3
    var inside = rest.dropFirst(quotes)
    while let mark = inside.first {
      if mark == "\\" && quote == "\"" {
        inside = inside.dropFirst(2)
      } else if mark == "\n" && !isLong {
        return inside
      } else if mark == quote {
        let ending = inside.prefix { $0 == quote }.count
        if !isLong { return inside.dropFirst() }
        inside = inside.dropFirst(ending)
        if ending >= 3 { return inside }
      } else {
        inside = inside.dropFirst()
      }
    }
    return inside
  }

  private static func isWordCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
    default: false
    }
  }

  private static func isName(_ word: String) -> Bool {
    word.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_\-]*(\.[A-Za-z0-9_\-]+)*/) != nil
  }

  private static func isValue(_ word: String) -> Bool {
    let number = /[+\-]?[0-9][0-9_]*(\.[0-9][0-9_]*)?([eE][+\-]?[0-9][0-9_]*)?/
    let other = /0x[0-9A-Fa-f_]+|0o[0-7_]+|0b[01_]+|[+\-]?(inf|nan)/
    let time = /[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?([Zz]|[+\-][0-9]{2}:[0-9]{2})?/
    let date = /[0-9]{4}-[0-9]{2}-[0-9]{2}/
    if let day = word.prefixMatch(of: date) {
      let rest = word[day.range.upperBound...]
      if rest.isEmpty { return true }
      return "Tt".contains(rest.first ?? " ") && rest.dropFirst().wholeMatch(of: time) != nil
    }
    return word.wholeMatch(of: number) != nil || word.wholeMatch(of: other) != nil
      || word.wholeMatch(of: time) != nil
  }
}
