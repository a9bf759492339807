import LibraryModel
import TestSupport
import Testing

@testable import LibraryIndex

@Suite("What a query asks for", .limited)
struct SearchQueryTests {
  private typealias Term = SearchQuery.Term

  private func term(
    _ words: String..., in field: SearchQuery.Field? = nil, joined: String? = nil
  ) -> Term { Term(field: field, words: words, joined: joined) }

  @Test("words, phrases and fields are told apart, and what is not to be found")
  func terms() {
    let query = SearchQuery(
      "blue \"kind of\" artist:Miles -album:ac/dc -title:\u{201C}so what\u{201D} PATH:a/b x:y - -z"
        + " -\"y z\"")
    #expect(
      query.terms == [
        term("blue"), term("kind", "of"), term("miles", in: .artist),
        term("a", "b", in: .path, joined: "ab"), term("x", "y", joined: "xy"),
      ])
    #expect(
      query.excluded == [
        term("ac", "dc", in: .album, joined: "acdc"), term("so", "what", in: .title),
        term("z"), term("y", "z"),
      ])
    #expect(query.years.isEmpty && !query.isEmpty)
    let years = SearchQuery("year:1958-1960 year:1959 -year:1970-1979")
    #expect(years.years == [1958...1960] && years.terms == [term("1959", in: .year)])
    #expect(years.excludedYears == [1970...1979] && years.excluded.isEmpty)
    #expect(!SearchQuery("year:1958-1960").isEmpty)
    #expect(SearchQuery("-artist:x").isEmpty && SearchQuery("artist: \"\"").isEmpty)
  }

  @Test("signs are looked for where there is nothing else")
  func signs() {
    #expect(SearchQuery("a & b").terms == [term("a"), term("b")])
    #expect(SearchQuery("★ !").terms.map(\.words) == [["★"], ["\u{E021}"]])
    #expect(SearchQuery("artist:★").terms == [term("★", in: .artist)])
    #expect(SearchQuery("-artist:★").isEmpty)
  }

  @Test("so many terms count, of each kind, and no more")
  func mostTerms() {
    let most = SearchQuery.mostTerms
    #expect(most == 32)
    func query(_ piece: (Int) -> String) -> SearchQuery {
      SearchQuery((0..<(most + 3)).map(piece).joined(separator: " "))
    }
    #expect(query { "a\($0)" }.terms.map(\.words) == (0..<most).map { ["a\($0)"] })
    #expect(query { "-artist:a\($0)" }.excluded.map(\.words) == (0..<most).map { ["a\($0)"] })
    let years = query { "year:\(1950 + $0)-\(1950 + $0)" }.years
    #expect(years == (0..<most).map { (1950 + $0)...(1950 + $0) })
    #expect(query { _ in "★" }.terms.count == most)
    #expect(SearchQuery(String(repeating: "★", count: most + 3)).terms.count == most)
    // What is excluded behind the last term is too far behind.
    let full = (0..<most).map { "a\($0)" }.joined(separator: " ")
    #expect(SearchQuery(full + " -artist:x").excluded.isEmpty)
    #expect(SearchQuery("-artist:x " + full).excluded.count == 1)
  }

  @Test(
    "years are four digits twice, the first not behind the last",
    arguments: [
      ("0001-0401", 1...401), ("0001-0402", 1...401), ("0001-9999", 1...401), ("0000-0001", nil),
      ("1959-1959", 1959...1959), ("1959-1958", nil), ("1959-19600", nil), ("195-1960", nil),
      ("1958-1959-", nil), ("195x-1960", nil), ("1990-", 1990...2390), ("-1969", 1569...1969),
      ("-0399", 1...399), ("-", nil), ("199-", nil),
    ] as [(String, ClosedRange<Int>?)])
  func years(text: String, range: ClosedRange<Int>?) {
    #expect(SearchQuery("year:\(text)").years == (range.map { [$0] } ?? []))
  }

  @Test("a field that there isn't is told, and what only looks like one is text")
  func unknownFields() throws {
    for text in ["mood:jazz", "blue mood:x y", "-mood:x", "path:\"a b\" Mood:x", "é:a"] {
      let error = #expect(throws: QueryMistake.self, "\(text)") { try SearchQuery(checking: text) }
      let word = text.split(separator: " ").last { $0.first != "y" }
      #expect(error?.word == word.map(String.init))
      #expect(
        error?.reason
          == "there is no such field; there are artist, album, title, year, composer, genre, path,"
          + " and quotes make it text")
    }
    for text in [
      "", "artist:x", "-ALBUM:x", "10:15", "Mission: Impossible", "mood:", ":x", "-:x", "a1:b",
      "\"mood:x\"", "title:\"so mood:x\"", "genre:x", "COMPOSER:x", "-", "a-b:c",
    ] {
      let query = try SearchQuery(checking: text)
      #expect(query == SearchQuery(text), "\(text)")
    }
  }

  @Test("a year that is none is a mistake")
  func mistakenYears() throws {
    for text in ["year:abc", "x -year:abc", "year:-", "year:1959-1958", "year:19590", "year:~"] {
      let error = #expect(throws: QueryMistake.self, "\(text)") { try SearchQuery(checking: text) }
      #expect(error?.word == text.split(separator: " ").last.map(String.init))
      #expect(
        error?.reason == "write a year, such as 1959, or a range, such as 1950-1959 or 1990-")
    }
    for text in [
      "year:1959", "year:195", "year:1950-1959", "year:1990-", "-year:1959", "year:",
      "year:\"1959\"",
    ] {
      #expect(throws: Never.self) { try SearchQuery(checking: text) }
    }
  }

  @Test("characters that don't fit the bytes that count are left out whole")
  func cutBetweenCharacters() {
    let room = SearchQuery.longest
    let blanks = String(repeating: " ", count: room - 4)
    #expect(SearchQuery(blanks + "abcd").terms == [term("abcd")])
    #expect(SearchQuery(blanks + "abcde").terms == [term("abcd")])
    // Two bytes each, and one that is of two characters of Unicode.
    #expect(SearchQuery(blanks + "xéßö").terms == [term("xe")])
    #expect(SearchQuery(blanks + "xye\u{301}").terms == [term("xy")])
    #expect(SearchQuery(blanks + "x🎵y").terms == [term("x")])
  }

  @Test("a term is in a text as its words one after the other, the last one begun")
  func matches() {
    let tokens = ["so", "what", "else", "acdc"]
    #expect(term("wha").matches(tokens) && !term("wha").matches(tokens, whole: true))
    #expect(term("what").matches(tokens, whole: true))
    #expect(term("so", "wha").matches(tokens) && !term("so", "els").matches(tokens))
    #expect(!term("s", "what").matches(tokens), "only the last may be a beginning")
    #expect(term("what", "else").matches(tokens, whole: true))
    #expect(term("else", "acdc").matches(tokens) && !term("acdc", "x").matches(tokens))
    #expect(!term("so", "what", "else", "acdc", "x").matches(tokens))
    #expect(term("so", "what", "else", "acdc").matches(tokens))
    #expect(term("ac", "dc", joined: "acdc").matches(tokens))
    #expect(!term().matches(tokens), "no words are in no text")
    #expect(!term("x").matches([]) && !term("hat").matches(tokens))
    // Byte for byte.
    #expect(!term("e\u{301}", "x").matches(["\u{E9}", "x"]))
    #expect(!term("\u{E9}").matches(["e\u{301}"], whole: true))
  }

  @Test("how much of a query a name has is graded, and how many of its words are counted")
  func merits() {
    func merit(_ query: String, _ name: String) -> SearchMerit {
      SearchQuery(query).merit(.title, SearchDocument.tokens(ofName: name))
    }
    for (query, name, grade, count) in [
      ("so what", "So What", .same, 2), ("so what", "So What Else", .begins, 2),
      ("what so", "So What", .words, 2), ("so wha", "So What", .started, 2),
      ("wh s", "So What", .beginnings, 2), ("so x", "So What", .anywhere, 1),
      ("x y", "So What", .anywhere, 0), ("title:so artist:x", "So What", .begins, 1),
      ("artist:so", "So What", .anywhere, 0), ("so", "", .anywhere, 0),
    ] as [(String, String, SearchGrade, Int)] {
      #expect(merit(query, name) == SearchMerit(grade: grade, inName: count), "\(query) \(name)")
    }
    #expect(
      SearchQuery("title:so what artist:x").wholeMerit(.title, .words)
        == SearchMerit(grade: .words, inName: 2))
    let sorted = [
      SearchMerit(grade: .same, inName: 1), SearchMerit(grade: .begins, inName: 3),
      SearchMerit(grade: .begins, inName: 2), SearchMerit(grade: .anywhere, inName: 0),
    ]
    #expect(sorted.reversed().sorted() == sorted)
    #expect(!(sorted[0] < sorted[0]))
  }
}
