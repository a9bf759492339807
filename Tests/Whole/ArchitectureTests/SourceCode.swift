/// Swift (or C) source with blanks in place of everything in comments and in texts, so that words
/// and braces that are found in it are code. Lines keep their numbers. What is interpolated into a
/// text counts as text.
func code(_ source: String) -> String {
  var scanner = CodeScanner(source)
  return scanner.scan()
}

private struct CodeScanner {
  private let bytes: [UInt8]
  private var position = 0
  private var result: [UInt8] = []

  init(_ source: String) { bytes = Array(source.utf8) }

  mutating func scan() -> String {
    while position < bytes.count {
      if follows("//") {
        while position < bytes.count && bytes[position] != UInt8(ascii: "\n") { blank() }
      } else if follows("/*") {
        skipComment()
      } else if let hashes = textStart() {
        skipText(hashes: hashes)
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func follows(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  private mutating func blank(_ count: Int = 1) {
    for _ in 0..<count where position < bytes.count {
      result.append(UInt8(ascii: bytes[position] == UInt8(ascii: "\n") ? "\n" : " "))
      position += 1
    }
  }

  private mutating func skipComment() {
    blank(2)
    var depth = 1
    while position < bytes.count && depth > 0 {
      if follows("/*") {
        depth += 1
        blank(2)
      } else if follows("*/") {
        depth -= 1
        blank(2)
      } else {
        blank()
      }
    }
  }

  /// The number of # before a quote that begins a text here.
  private func textStart() -> Int? {
    let first = bytes[position]
    guard first == UInt8(ascii: "\"") || first == UInt8(ascii: "#") else { return nil }
    let hashes = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
    let quote = position + hashes
    return quote < bytes.count && bytes[quote] == UInt8(ascii: "\"") ? hashes : nil
  }

  private mutating func skipText(hashes: Int) {
    blank(hashes)
    let quotes = follows("\"\"\"") ? "\"\"\"" : "\""
    blank(quotes.count)
    let end = quotes + String(repeating: "#", count: hashes)
    let escape = "\\" + String(repeating: "#", count: hashes)
    while position < bytes.count && !follows(end) {
      if follows(escape + "(") {
        blank(escape.count)
        skipInterpolation()
      } else if follows(escape) {
        blank(escape.count + 1)
      } else {
        blank()
      }
    }
    blank(end.count)
  }

  private mutating func skipInterpolation() {
    var depth = 0
    repeat {
      if let hashes = textStart() {
        skipText(hashes: hashes)
        continue
      }
      if bytes[position] == UInt8(ascii: "(") { depth += 1 }
      if bytes[position] == UInt8(ascii: ")") { depth -= 1 }
      blank()
    } while depth > 0 && position < bytes.count
  }
}

struct FunctionExtent: Hashable {
  var firstLine: Int
  var lineCount: Int
}

/// The functions, initialisers and the like of a file whose comments and texts are blank, found by
/// counting brackets.
func functions(in codeLines: [Substring]) -> [FunctionExtent] {
  var found: [FunctionExtent] = []
  let starts = /^\s*([a-z@][\w@()]*\s+)*(func\s|init[?(<]|deinit\b|subscript[(<]|var\s.*\{\s*$)/
  for (index, line) in codeLines.enumerated() where line.contains(starts) {
    var brackets = 0
    var braces = 0
    search: for (end, text) in codeLines[index...].enumerated() {
      for character in text {
        switch character {
        case "(", "[": brackets += 1
        case ")", "]": brackets -= 1
        // A closure among the parameters is none of the body.
        case "{" where brackets == 0 || braces > 0: braces += 1
        case "}" where brackets == 0 || braces > 0:
          braces -= 1
          if braces == 0 { found.append(FunctionExtent(firstLine: index + 1, lineCount: end + 1)) }
          // Below zero: a protocol's requirement, which has no body.
          if braces <= 0 { break search }
        default: break
        }
      }
      let isNextDeclaration = end > 0 && braces == 0 && brackets == 0 && text.contains(starts)
      if isNextDeclaration { break }
    }
  }
  return found
}
