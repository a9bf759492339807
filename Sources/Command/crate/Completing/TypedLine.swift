import Text

/// A command line up to the cursor, parsed like in bash and fish. Nothing in it is executed:
/// expansions stay as they are written.
struct TypedLine: Equatable {
  /// The words before the one at the cursor, including the program's name, without their quotes.
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
    // The character after a trailing backslash isn't typed yet.
  }

  /// The characters behind which another command begins.
  private static let commandEnds: Set<Character> = [";", "|", "&", "(", ")", "`"]

  private mutating func take(_ character: Character, escaped: Bool = false) {
    typed.append(character)
    // Between double quotes a backslash is literal before most characters.
    if escaped, quote == "\"", !"$`\"\\".contains(character) { current.append("\\") }
    current.append(character)
  }

  private mutating func endWord() {
    if !typed.isEmpty { words.append(current) }
    (current, typed) = ("", "")
  }

  /// Returns the text with which bash has to replace `replaced`, the end of the input, to complete
  /// it to `word`. Returns nil if the rest of the input is not the beginning of the word.
  func insertion(of word: String, replacing replaced: String) -> String? {
    guard typed.hasSuffix(replaced) else { return nil }
    let staying = TypedLine(String(typed.dropLast(replaced.count))).current
    // By length, since the letter case may differ.
    guard word.count >= staying.count,
      folded(String(word.prefix(staying.count))) == folded(staying)
    else { return nil }
    return Self.quoted(word.dropFirst(staying.count), in: quote)
  }

  private static let plain = Set("_-./+%,")

  /// Quotes a text so that bash reads it literally, outside or inside the open quotes.
  private static func quoted(_ text: Substring, in quote: Character?) -> String {
    var result = ""
    for (index, character) in zip(text.indices, text) {
      switch (quote, character) {
      case ("'", "'"): result += "'\\''"
      case ("\"", "!"):
        // An exclamation mark would expand the history, except at the end and before a blank.
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
