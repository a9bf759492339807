import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryStore

@Suite("Text of the store", .limited)
struct TextTests {
  @Test("Any bytes survive escaping, and stay one line, and one word where they have to")
  func escaping() throws {
    var random = SeededGenerator(usually: 11)
    var names = LibraryMaker.fileNames + (UInt8.min...UInt8.max).map { [$0] }
    for _ in 0..<500 {
      names.append(
        (0..<Int.random(in: 0...40, using: &random)).map { _ in
          // Half of them from where the trouble is.
          Bool.random(using: &random)
            ? UInt8.random(in: 0...255, using: &random)
            : [0x0A, 0x25, 0x09, 0xE2, 0x80, 0xA8, 0xF0, 0x9F, 0xED, 0x7F].randomElement(
              using: &random) ?? 0
        })
    }
    for name in names {
      for asWord in [false, true] {
        let text: StoreText = asWord ? "\(word: name)" : "\(rest: name)"
        let line = text.bytes
        #expect(Escaping.decoded(line[...]) == name, "\(random)")
        #expect(!line.contains { $0 < 0x20 || $0 == 0x7F }, "\(name) \(random)")
        #expect(String(validating: line, as: UTF8.self) != nil, "\(name) \(random)")
        if asWord { #expect(!line.contains(0x20), "\(name) \(random)") }
      }
    }
  }

  @Test("Text that is escaped wrongly is refused", arguments: ["%", "%4", "%G0", "a%0", "%%41"])
  func badEscapes(text: String) {
    #expect(Escaping.decoded(Array(text.utf8)[...]) == nil)
  }

  @Test("What a person escapes in small letters is read, too")
  func smallLetters() {
    let text = "%0a%1b%2c%3d%4e%5f%c3%A9"
    let bytes: [UInt8] = [0x0A, 0x1B, 0x2C, 0x3D, 0x4E, 0x5F, 0xC3, 0xA9]
    #expect(Escaping.decoded(Array(text.utf8)[...]) == bytes)
  }

  @Test("Readable text is left as it is")
  func plain() {
    var line: [UInt8] = []
    line += "\(rest: "後で聴く/Kind of Blue é")"
    #expect(String(decoding: line, as: UTF8.self) == "後で聴く/Kind of Blue é")
    line = []
    line += "\(rest: [0x41, 0xFF, 0x0A, 0x25, 0xED, 0xA0, 0x80])"
    #expect(String(decoding: line, as: UTF8.self) == "A%FF%0A%25%ED%A0%80")
  }

  @Test("A checksum is XXH3-128, as other programs write it")
  func checksum() {
    for (text, sum) in [
      ("", "99aa06d3014798d86001c324468d497f"), ("123456789", "33119477ede5dcd5e9716427681d5860"),
    ] {
      #expect(String(decoding: Checksum.text(of: Array(text.utf8)[...]), as: UTF8.self) == sum)
    }
  }

  @Test("A number is read as it was written, and nothing else is one")
  func numbers() throws {
    for (text, number) in [
      ("0", 0), ("7", 7), ("100", 100), ("999999999999999", 999_999_999_999_999),
    ] {
      var words = Words(Array(text.utf8)[...])
      #expect(try words.number("it") == number)
    }
    for bad in ["00", "01", "+1", "-1", "-0", "1a", "/", ":", "", "1000000000000000", "١"] {
      var words = Words(Array(bad.utf8)[...])
      #expect(throws: ParseError.self, "\(bad)") { try words.number("it") }
    }
  }

  @Test("A group is read as it was written, with tabs wherever they are")
  func groups() {
    let families = [
      "by\tx\ty", "in\t\talbum", "folder\t", "in\tfolder\t", "", "by\t\t", "in\t\t\t",
    ]
    for family in families {
      for edition in ["", "2", "a\tb"] {
        let group = GroupKey(family: family, edition: edition)
        var word: [UInt8] = []
        GroupText.append(group, to: &word)
        let text = Escaping.decoded(word[...]).map { String(decoding: $0, as: UTF8.self) }
        let found = GroupText.group(text ?? "no text")
        #expect(found == GroupKey(family: family, edition: edition), "\(group)")
      }
    }
  }

  @Test("Names of the store say their generation, and nothing like them does")
  func names() {
    #expect(StoreName("crates.12.txt").generation("crates") == 12)
    #expect(StoreName("crates.12.txt.new").unfinishedGeneration == 12)
    for name in [
      "crates.txt", "crates.0.txt", "crates.012.txt", "crates.-1.txt", "crates.1.txt~",
      "crates.9223372036854775807.txt", "crates.+1.txt", "Crates.1.txt", "journal.1.txt",
      "crates.1.txt.new", "crates..txt",
    ] {
      #expect(StoreName(name).generation("crates") == nil, "\(name)")
    }
  }
}
