import LibraryModel
import TestSupport
import Testing

@testable import LibraryIndex

@Suite("Words of the search", .limited)
struct SearchWordsTests {
  @Test("of ASCII letters and digits are words, blanks divide, and all else is a sign")
  func ascii() {
    for byte in UInt8.min..<0x80 {
      let scalar = Unicode.Scalar(byte)
      let found = SearchWords("a\(scalar)b")
      let isWord = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      if isWord {
        #expect(found.words == ["a\(scalar)b".lowercased()], "\(byte)")
        #expect(found.signs.isEmpty && found.joined.isEmpty, "\(byte)")
      } else if byte <= 0x20 || byte == 0x7F {
        #expect(found.words == ["a", "b"] && found.joined.isEmpty, "\(byte)")
        #expect(found.signs.isEmpty, "\(byte)")
      } else {
        #expect(found.words == ["a", "b"] && found.joined == ["ab"], "\(byte)")
        // SQLite takes it for a letter there.
        #expect(found.signs.map { $0.unicodeScalars.map(\.value) } == [[0xE000 + UInt32(byte)]])
      }
    }
  }

  @Test("letters of scripts without blanks are words by themselves")
  func unspaced() {
    #expect(SearchWords("真夜a中b").words == ["真", "夜", "a", "中", "b"])
    #expect(SearchWords("真夜").joined.isEmpty)
    #expect(SearchWords("〇〇").words == ["〇", "〇"])
  }

  @Test("parts of letters stay, accents and points go")
  func marks() {
    // A virama, which joins; a Hebrew point; a kana's voicing, by itself and in its letter.
    #expect(SearchWords("क्ष").words == ["क्ष"])
    #expect(SearchWords("ש\u{5B0}ל").words == ["של"])
    #expect(SearchWords("か\u{3099}x").words == ["か\u{3099}", "x"])
    #expect(SearchWords("が").words == SearchWords("か\u{3099}").words)
    #expect(SearchWords("e\u{301}\u{308}x").words == ["ex"])
    #expect(SearchWords("a\u{AD}b").words == ["ab"])
    let control = SearchWords("a\u{80}b")
    #expect(control.words == ["a", "b"] && control.joined.isEmpty && control.signs.isEmpty)
  }

  @Test("so many words count, of any texts")
  func mostWords() {
    let most = SearchWords.most
    #expect(most == 256)
    let many = (0..<(most + 5)).map { "w\($0)" }
    for separator in [" ", "/"] {
      for count in [most - 1, most, most + 1, most + 5] {
        let found = SearchWords(many[..<count].joined(separator: separator))
        #expect(found.words == Array(many[..<min(count, most)]), "\(count)")
      }
    }
    #expect(SearchWords(String(repeating: "★", count: most)).signs.count == most)
    #expect(SearchWords(String(repeating: "★", count: most + 1)).signs.count == most)
    #expect(SearchWords(many[..<(most - 1)].joined(separator: " ") + " a/b").words.last == "a")
    // What stands behind them is not looked at.
    let beyond = SearchWords(many.joined(separator: " ") + " a/b ★")
    #expect(beyond.joined.isEmpty && beyond.signs.isEmpty)
  }

  @Test("a word is cut to so many bytes, in whole letters, and so is one in one piece")
  func longestWord() {
    let longest = SearchWords.longestWord
    #expect(longest == 200)
    func word(_ letter: String, _ count: Int) -> String { String(repeating: letter, count: count) }
    #expect(SearchWords(word("a", longest - 1)).words == [word("a", longest - 1)])
    #expect(SearchWords(word("a", longest)).words == [word("a", longest)])
    #expect(SearchWords(word("a", longest + 1)).words == [word("a", longest)])
    #expect(SearchWords(word("д", longest)).words == [word("д", longest / 2)])
    let parts = SearchWords(word("a", longest - 1) + "/bc")
    #expect(parts.words == [word("a", longest - 1), "bc"])
    #expect(parts.joined == [word("a", longest - 1) + "b"])
  }

  @Test("Names that are the same have the same words, but for a small iota, which is an accent")
  func agreement() {
    for scalar in Unicode.Scalar.tested where scalar.value >= 0x20 {
      if let age = scalar.properties.age, age > (15, 0) { continue }
      let name = "a\(scalar)b"
      let found = SearchWords(name)
      let isIota = folded(name).unicodeScalars.contains("\u{3B9}")
      if isIota, !found.words.joined().unicodeScalars.contains("\u{3B9}") { continue }
      // A million expectations would take longer than what they look at.
      if found != SearchWords(folded(name)) { Issue.record("\(scalar.debugDescription)") }
    }
  }
}
