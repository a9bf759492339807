import Text

/// A command line up to the cursor, read as bash and fish read it, but without running anything
/// that stands in it: expansions are taken as they are written.
struct TypedLine: Equatable {
  /// Words before the one at the cursor, from the program's name on, without their quotes.
  var words: [String] = []
  /// The word at the cursor without its quotes, and as it was typed.
  var current = ""
  var typed = ""
  /// The quote that is open at the cursor.
  var quote: Character?

  init(_ line: String) {
    var isEscaped = false
    for character in line {
      if isEscaped {
        take(character, escaped: true)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        typed.append(character)
        isEscaped = true
      } else if let open = quote {
        if character == open {
          typed.append(character)
          quote = nil
        } else {
          take(character)
        }
      } else if character == "'" || character == "\"" {
        typed.append(character)
        quote = character
      } else if character.isWhitespace {
        endWord()
      } else if Self.commandEnds.contains(character) {
        self = TypedLine("")
      } else {
        take(character)
      }
    }
    // What follows a backslash at the end is yet to be typed.
  }

  /// What another command begins behind.
  private static let commandEnds: Set<Character> = [";", "|", "&", "(", ")", "`"]

  private mutating func take(_ character: Character, escaped: Bool = false) {
    typed.append(character)
    // Between double quotes a backslash is itself before most characters.
    if escaped, quote == "\"", !"$`\"\\".contains(character) { current.append("\\") }
    current.append(character)
  }

  private mutating func endWord() {
    if !typed.isEmpty { words.append(current) }
    (current, typed) = ("", "")
  }

  /// What completes the typed word to this one, as bash is to insert it in place of `replaced`,
  /// which is the end of what was typed. Nil where what stays is not the beginning of the word.
  func insertion(of word: String, replacing replaced: String) -> String? {
    guard typed.hasSuffix(replaced) else { return nil }
    let staying = TypedLine(String(typed.dropLast(replaced.count))).current
    // By length: it may be in other letter case.
    guard word.count >= staying.count,
      folded(String(word.prefix(staying.count))) == folded(staying)
    else { return nil }
    return Self.quoted(word.dropFirst(staying.count), in: quote)
  }

  private static let plain = Set("_-./+%,")

  /// The text so that bash reads it as it is, without or within open quotes.
  private static func quoted(_ text: Substring, in quote: Character?) -> String {
    var result = ""
    for (index, character) in zip(text.indices, text) {
      switch (quote, character) {
      case ("'", "'"): result += "'\\''"
      case ("\"", "!"):
        // A "!" would name a former command, but at the end and before a blank.
        let next = text[index...].dropFirst().first
        result += next == nil || next == " " ? "!" : "\"\\!\""
      case ("\"", "$"), ("\"", "`"), ("\"", "\""), ("\"", "\\"): result += "\\\(character)"
      case (nil, _) where needsEscape(character): result += "\\\(character)"
      default: result.append(character)
      }
    }
    return result
  }

  private static func needsEscape(_ character: Character) -> Bool {
    character.isASCII && !character.isLetter && !character.isNumber && !plain.contains(character)
  }
}
