import TestSupport
import Testing

@testable import FolderWatching

@Suite(.limited) struct IgnoreRulesTests {
  private func leavesOut(_ text: String, _ path: String, isFolder: Bool = false) -> Bool? {
    IgnoreRules(text.utf8).leavesOut(
      path.split(separator: "/").map { Array($0.utf8) }, isFolder: isFolder)
  }

  @Test(
    "as gitignore says",
    arguments: [
      ("*.mp3", "a/b/c.mp3", true), ("*.mp3", "c.flac", nil), ("/a", "a", true),
      ("/a", "b/a", nil), ("a/b", "a/b", true), ("a/b", "x/a/b", nil), ("**/b", "x/y/b", true),
      ("a/**", "a/x/y", true), ("a/**", "a", nil), ("a/**/z", "a/z", true),
      ("a/**/z", "a/b/c/z", true), ("a?c", "abc", true), ("a?c", "a/c", nil),
      ("[a-c]x", "bx", true), ("[!a-c]x", "bx", nil), ("[!a-c]x", "dx", true),
      ("\\#x", "#x", true), ("# x", "# x", nil), ("x  ", "x", true), ("x\\ ", "x ", true),
      ("*\n!keep", "keep", false), ("!keep\n*", "keep", true), ("a*b*c", "aXbYbZc", true),
      ("a*b*c", "aXbYbZ", nil), ("[", "[", true), ("", "x", nil), ("x\r\n", "x", true),
      ("\\!x", "!x", true), ("!\n/\n//\n   ", "x", nil), ("a\nb\n!a", "b", true),
    ] as [(String, String, Bool?)])
  func examples(text: String, path: String, expected: Bool?) {
    #expect(leavesOut(text, path) == expected)
  }

  @Test(
    "what is in brackets, or after a backslash",
    arguments: [
      ("[a-c]", "a", true), ("[a-c]", "c", true), ("[a-c]", "d", false), ("[b-c]", "a", false),
      ("[c-a]", "b", false), ("[abc]", "b", true), ("[ab]", "ab", false), ("[ab]c", "ac", true),
      ("[a-]", "a", true), ("[a-]", "-", true), ("[a-]", "b", false), ("[-a]", "-", true),
      ("[a-cx]", "x", true), ("[xa-c]", "b", true), ("[xa-c]", "y", false),
      ("[^a]", "b", true), ("[^a]", "a", false), ("[a!]", "!", true), ("[a!]", "b", false),
      ("[a^]", "^", true), ("[a^]", "b", false), ("[!a]b", "cb", true), ("[!a]b", "ab", false),
      // A bracket that comes first is a member.
      ("[]a]", "]", true), ("[]a]", "a", true), ("[]a]", "b", false), ("[]a]", "]a]", false),
      ("[!]a]", "b", true), ("[!]a]", "]", false), ("[!]a]", "a", false), ("[!]a]", "ba]", false),
      ("[ab]]", "a]", true),
      // Without an end it is a bracket.
      ("[a", "[a", true), ("[a", "a", false), ("x[", "x[", true), ("x[", "xa", false),
      ("[]", "[]", true), ("[]", "[", false), ("[!", "[!", true), ("[!]", "[!]", true),
      ("\\*", "*", true), ("\\*", "a", false), ("a\\*b", "a*b", true), ("a\\*b", "axb", false),
      ("\\[a]", "[a]", true), ("\\[a]", "a", false), ("a\\", "a\\", true), ("a\\bc", "abc", true),
      ("a\\bc", "a\\bc", false),
    ])
  func brackets(pattern: String, name: String, isMatch: Bool) {
    #expect(leavesOut(pattern, name) == (isMatch ? true : nil))
  }

  @Test("a slash at the end is for directories only")
  func folders() {
    #expect(leavesOut("a/", "a") == nil)
    #expect(leavesOut("a/", "a", isFolder: true) == true)
    #expect(leavesOut("a/", "b/a", isFolder: true) == true)
    #expect(leavesOut("/a/", "b/a", isFolder: true) == nil)
    #expect(leavesOut("a/b/", "a/b", isFolder: true) == true)
    #expect(leavesOut("a", "a", isFolder: true) == true)
  }

  @Test("many stars take no more time than few")
  func stars() {
    let pattern = String(repeating: "*a", count: 200) + "b"
    #expect(leavesOut(pattern, String(repeating: "a", count: 250)) == nil)
    let folders = String(repeating: "**/a/", count: 100) + "b"
    #expect(leavesOut(folders, String(repeating: "a/", count: 200)) == nil)
  }

  @Test("lines beyond the thousandth are not heeded, nor what is beyond 64 KiB")
  func limits() {
    let lines = String(repeating: "y\n", count: 999)
    #expect(leavesOut(lines + "x\n", "x") == true)
    #expect(leavesOut(lines + "y\nx\n", "x") == nil)
    let long = "#" + String(repeating: ".", count: (64 << 10) - 3) + "\n"
    #expect(leavesOut(long + "x", "x") == true)
    #expect(leavesOut("#" + long + "x", "x") == nil)
  }

  @Test("nothing but patterns makes rules")
  func empty() {
    for text in ["", "\n\n", "# comment\n", "!\n/\n", "  \n"] {
      #expect(IgnoreRules(text.utf8).isEmpty, "\(text)")
    }
    #expect(!IgnoreRules("x".utf8).isEmpty)
  }

  // MARK: Against a plain matcher

  @Test("random patterns of stars and directories match what a plain matcher says")
  func random() {
    var dice = SeededGenerator(seed: 5)
    let pieces = ["a", "b", "ab", "*", "?", "**", "a*", "*b", "?b", "*a*", "**b", "a?*"]
    let names = ["a", "b", "ab", "ba", "aab", "abab", "c"]
    var matchCount = 0
    for _ in 0..<20_000 {
      let parts = (0..<Int.random(in: 1...4, using: &dice)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &dice)]
      }
      let path = (0..<Int.random(in: 1...4, using: &dice)).map { _ in
        names[Int.random(in: 0..<names.count, using: &dice)]
      }
      let isAnchored = parts.count > 1 || Bool.random(using: &dice)
      let pattern = (isAnchored && parts.count == 1 ? "/" : "") + parts.joined(separator: "/")
      let wanted = Self.matches(path[...], ((isAnchored ? [] : ["**"]) + parts)[...])
      if wanted { matchCount += 1 }
      let found = leavesOut(pattern, path.joined(separator: "/"))
      #expect(found == (wanted ? true : nil), "\(pattern) and \(path)")
    }
    #expect((2_000...18_000).contains(matchCount))
  }

  private static func matches(_ path: ArraySlice<String>, _ parts: ArraySlice<String>) -> Bool {
    guard let part = parts.first else { return path.isEmpty }
    let rest = parts.dropFirst()
    if part == "**" {
      if rest.isEmpty { return !path.isEmpty }
      return matches(path, rest) || (!path.isEmpty && matches(path.dropFirst(), parts))
    }
    guard let name = path.first, isMatch(Substring(name), Substring(part)) else { return false }
    return matches(path.dropFirst(), rest)
  }

  private static func isMatch(_ name: Substring, _ pattern: Substring) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    if first == "*" {
      return isMatch(name, pattern.dropFirst())
        || (!name.isEmpty && isMatch(name.dropFirst(), pattern))
    }
    guard let letter = name.first, first == "?" || first == letter else { return false }
    return isMatch(name.dropFirst(), pattern.dropFirst())
  }
}
