import Terminal

/// A line of text input. The cursor is between its two parts.
struct LineInput: Hashable, Sendable {
  private(set) var before: String
  private(set) var after = ""

  var text: String { before + after }

  /// The most bytes of a line: names have 255 at most, and no search needs more.
  private static let bytesMost = 255

  init(text: String = "") { before = text }

  mutating func type(_ more: String) {
    let taken = after.utf8.count
    for character in more
    where before.utf8.count + taken + character.utf8.count <= Self.bytesMost {
      before.append(character)
    }
  }

  /// - Returns: Whether the line handled the key.
  mutating func take(_ stroke: Stroke) -> Bool {
    switch (stroke.key, stroke.modifiers) {
    case (.backspace, _): _ = before.popLast()
    case (.delete, _), (.character("d"), .control): if !after.isEmpty { after.removeFirst() }
    case (.character("u"), .control): before = ""
    case (.character("k"), .control): after = ""
    case (.character("w"), .control): deleteWord()
    case (.left, []), (.character("b"), .control):
      if let character = before.popLast() { after = "\(character)\(after)" }
    case (.right, []), (.character("f"), .control):
      if !after.isEmpty { before.append(after.removeFirst()) }
    case (.home, []), (.character("a"), .control): (before, after) = ("", text)
    case (.end, []), (.character("e"), .control): (before, after) = (text, "")
    case (.character(let scalar), []), (.character(let scalar), .shift):
      type(String(Character(scalar)))
    default: return false
    }
    return true
  }

  private mutating func deleteWord() {
    while before.last == " " { before.removeLast() }
    while let last = before.last, last != " " { before.removeLast() }
  }
}
