import TestSupport
import Testing

@testable import crate

@Suite("A line that is being typed", .limited)
struct TypedLineTests {
  @Test(
    "It is read as shells read it, without running anything",
    arguments: [
      ("", [], "", "", nil), ("crate", [], "crate", "crate", nil),
      ("crate list ", ["crate", "list"], "", "", nil), ("  a  b", ["a"], "b", "b", nil),
      (#"a b\ c"#, ["a"], "b c", #"b\ c"#, nil), (#"a 'b c"#, ["a"], "b c", "'b c", "'"),
      (#"a "b \$ \x"#, ["a"], #"b $ \x"#, #""b \$ \x"#, "\""),
      (#"a "\`\"\\"#, ["a"], #"`"\"#, #""\`\"\\"#, "\""),
      (#"a 'b\' "#, ["a", #"b\"#], "", "", nil), (#"a "b" "#, ["a", "b"], "", "", nil),
      (#"a "b'c" d"#, ["a", "b'c"], "d", "d", nil),
      (#"a 'b"c'd"#, ["a"], #"b"cd"#, #"'b"c'd"#, nil),
      ("a '' b", ["a", ""], "b", "b", nil), (#"a \"#, ["a"], "", #"\"#, nil),
      ("x; a b", ["a"], "b", "b", nil), ("x | a ", ["a"], "", "", nil),
      ("x && a", [], "a", "a", nil),
      ("$(a b", ["a"], "b", "b", nil), ("`a b", ["a"], "b", "b", nil), ("(x) a", [], "a", "a", nil),
      (#"a ";|&" b"#, ["a", ";|&"], "b", "b", nil), (#"a \; b"#, ["a", ";"], "b", "b", nil),
    ] as [(String, [String], String, String, Character?)])
  func reading(
    text: String, words: [String], current: String, typed: String, quote: Character?
  ) {
    let line = TypedLine(text)
    #expect(line.words == words)
    #expect(line.current == current)
    #expect(line.typed == typed)
    #expect(line.quote == quote)
  }

  @Test(
    "What is inserted makes the word of what was typed",
    arguments: [
      ("crate li", "li", "list", "list"), ("crate Ki", "Ki", "Kind of", #"Kind\ of"#),
      ("crate Ki", "i", "Kind", "ind"), ("crate Ki", "x", "Kind", nil),
      ("crate xi", "i", "Kind", nil), ("crate ki", "i", "Kind", "ind"),
      ("crate Kind", "", "Kind", ""), ("crate Kind", "", "Kin", nil),
      ("crate 'a", "a", "a'b c", #"a'\''b c"#),
      ("crate \"a", "a", #"a"b$c`d\e"#, #"a\"b\$c\`d\\e"#),
      ("crate \"a", "a", "a!", "a!"), ("crate \"a", "a", "a! b", "a! b"),
      ("crate \"a", "a", "a!b", #"a"\!"b"#), ("crate a", "a", "a!b", #"a\!b"#),
      ("crate a", "a", "aé_-./+%,9Z", "aé_-./+%,9Z"), ("crate a", "a", "a:*", #"a\:\*"#),
    ] as [(String, String, String, String?)])
  func inserting(line: String, replaced: String, word: String, expected: String?) {
    #expect(TypedLine(line).insertion(of: word, replacing: replaced) == expected)
  }

  @Test("Nothing is inserted by which what was typed would get shorter")
  func shortened() {
    func insertions(_ words: [String], _ typed: String) -> [String] {
      Completing.insertions(of: words, in: TypedLine("crate \(typed)"), replacing: typed)
    }
    #expect(insertions([], "kin") == [])
    #expect(insertions(["Kind", "Kinks"], "kin") == ["Kind", "Kinks"])
    #expect(insertions(["Kind", "KInks"], "kin") == [])
    #expect(insertions(["Kind", "kInks"], "kin") == [])
    #expect(insertions(["kind", "kinks", "kite"], "ki") == ["kind", "kinks", "kite"])
    #expect(insertions(["Kind"], "KIND") == ["Kind"])
    // What begins as it was typed stays as it is, also with a sign in front of its blank.
    #expect(insertions(["a b", "a c"], "a\\ ") == ["a\\ b", "a\\ c"])
  }
}
