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
    #expect(room == 4_096)
    let blanks = String(repeating: " ", count: room - 4)
    #expect(SearchQuery(blanks + "abcd").terms == [term("abcd")])
    #expect(SearchQuery(blanks + "abcde").terms == [term("abcd")])
    // Two bytes each, and one that is of two characters of Unicode.
    #expect(SearchQuery(blanks + "xéßö").terms == [term("xe")])
    #expect(SearchQuery(blanks + "xye\u{301}").terms == [term("xy")])
    #expect(SearchQuery(blanks + "x🎵y").terms == [term("x")])
  }
}
