import LibraryModel
import TestSupport
import Testing

@testable import LibraryStore

@Suite("Bounds of the store's text", .limited)
struct TextBoundsTests {
  private func words(_ text: String) -> Words { Words(Array(text.utf8)[...]) }

  private func escaped(_ bytes: [UInt8]) -> [UInt8] {
    let text: StoreText = "\(rest: bytes)"
    return text.bytes
  }

  /// The first and the last of each row of Unicode 15, table 3-7.
  private static let characters: [UInt32] = [
    0x80, 0x7FF, 0x800, 0xFFF, 0x1000, 0xCFFF, 0xD000, 0xD7FF, 0xE000, 0xFFFF, 0x1_0000, 0x3_FFFF,
    0x4_0000, 0xF_FFFF, 0x10_0000, 0x10_FFFF,
  ]

  @Test("The first and the last character of each length are left as they are")
  func characters() throws {
    for number in Self.characters {
      let text = Array(String(try #require(Unicode.Scalar(number))).utf8)
      #expect(escaped(text) == text)
      #expect(escaped(text + text) == text + text)
      // Without its end it is none, and what follows is for itself.
      for count in 1..<text.count {
        let cut = Array(text[..<count])
        let signs = cut.flatMap { Array("%\(String($0, radix: 16, uppercase: true))".utf8) }
        #expect(escaped(cut) == signs)
        #expect(escaped(cut + text) == signs + text)
        #expect(escaped(cut + [0x41]) == signs + [0x41])
      }
    }
  }

  @Test("Bytes just outside of a character's range are escaped, one by one")
  func noCharacters() {
    for bytes in [
      [0xC1, 0xBF], [0xC2, 0x7E], [0xC2, 0xC0], [0xDF, 0x7E], [0xE0, 0x9F, 0xBF],
      [0xE0, 0xC0, 0x80], [0xED, 0xA0, 0x80], [0xED, 0x7E, 0x80], [0xEF, 0xBF, 0xC0],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x90, 0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF4, 0x8F, 0xBF, 0xC0], [0xF5, 0x80, 0x80, 0x80], [0x80], [0xFF],
    ] as [[UInt8]] {
      let signs = bytes.flatMap { byte in
        byte < 0x80 ? [byte] : Array("%\(String(byte, radix: 16, uppercase: true))".utf8)
      }
      #expect(escaped(bytes) == signs, "\(bytes)")
    }
  }

  @Test("An escaped byte is two hexadecimal digits, whatever else stands there")
  func digits() {
    for byte in UInt8.min...UInt8.max {
      let value = Unicode.Scalar(byte).isASCII ? Character(Unicode.Scalar(byte)).hexDigitValue : nil
      let expected = value.map { UInt8($0) }
      #expect(Escaping.decoded([0x25, byte, 0x30]) == expected.map { [$0 << 4] }, "\(byte)")
      #expect(Escaping.decoded([0x25, 0x30, byte]) == expected.map { [$0] }, "\(byte)")
    }
    #expect(Escaping.decoded(Array("a%41b%4".utf8)[...]) == nil)
    #expect(Escaping.decoded(Array("a%41b%42".utf8)[...]) == Array("aAbB".utf8))
  }

  @Test("A number has at most fifteen digits, and is as it is written")
  func numbers() throws {
    for (text, number) in [("0", 0), ("7", 7), ("999999999999999", 999_999_999_999_999)] {
      var words = words("\(text) next")
      #expect(try words.number("it") == number)
      #expect(words.remaining.elementsEqual("next".utf8))
    }
    for text in ["1000000000000000", "007", "00", "+7", "-1", "-0", "7a", "", " 7", "0x7"] {
      var words = words(text)
      #expect(throws: ParseError.self, "\(text)") { try words.number("it") }
    }
    #expect(StoreName("crates.999999999999999.txt").generation("crates") == 999_999_999_999_999)
    #expect(StoreName("crates.1000000000000000.txt").generation("crates") == nil)
    #expect(StoreName("crates.1.txt").generation("crates") == 1)
    #expect(StoreName("crates.0.txt.new").unfinishedGeneration == nil)
    #expect(StoreName("crates.1.txt.new").unfinishedGeneration == 1)
  }

  @Test("Words are taken one after the other, and only whole ones")
  func taking() throws {
    var words = words("one two  three")
    #expect(!words.consume("on") && !words.consume("onetwo") && words.consume("one"))
    #expect(throws: ParseError("\"one\" is missing")) { try words.require("one") }
    try words.require("two")
    #expect(throws: ParseError("it is missing")) { try words.word("it") }
    #expect(try words.word("it").elementsEqual("three".utf8))
    #expect(words.isEmpty && words.next() == nil)
    #expect(throws: ParseError("it is missing")) { try words.word("it") }
  }

  @Test("A digest is 32 digits in small letters, or a dash")
  func digests() throws {
    let text = "0123456789abcdefffeeddccbbaa9988"
    let digest = AudioDigest(high: 0x0123_4567_89AB_CDEF, low: 0xFFEE_DDCC_BBAA_9988)
    var line: [UInt8] = []
    DigestText.append(digest, to: &line)
    #expect(String(decoding: line, as: UTF8.self) == text)
    #expect(try DigestText.digest(line[...]) == digest)
    #expect(try DigestText.digest([0x2D]) == nil)
    for bad in ["--", "", String(text.dropLast()), text + "0"] {
      #expect(throws: ParseError("a digest has 32 digits")) {
        try DigestText.digest(Array(bad.utf8)[...])
      }
    }
    for place in [0, 15, 16, 31] {
      for byte in UInt8.min...UInt8.max {
        var other = line
        other[place] = byte
        let isDigit = (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
        let found = (try? DigestText.digest(other[...])) ?? nil
        #expect((found != nil) == isDigit, "\(byte) at \(place)")
      }
    }
  }

  @Test("Bytes are counted and found from wherever a slice begins")
  func places() {
    let bytes: [UInt8] = [0x0A, 1, 0x0A, 2, 0x0A]
    #expect(bytes[1...].place(of: 0x0A) == 2)
    #expect(bytes[3...].place(of: 0x0A) == 4)
    #expect(bytes[1..<2].place(of: 0x0A) == nil && bytes[2..<2].place(of: 0x0A) == nil)
    #expect(bytes[1...].lineCount == 2 && bytes[...].lineCount == 3 && bytes[1..<2].lineCount == 0)
  }
}

@Suite("What absent songs are known by, as text", .limited)
struct TraitsTextTests {
  private func text(_ change: (inout Traits) -> Void) -> String {
    var traits = Traits()
    change(&traits)
    var line: [UInt8] = []
    TraitsText.append(traits, to: &line)
    return String(decoding: line, as: UTF8.self)
  }

  private func taken(_ key: String, _ value: String) throws -> Traits {
    var traits = Traits()
    let isTaken = try TraitsText.set(
      Array(key.utf8)[...], Array(value.utf8)[...], into: &traits)
    #expect(isTaken == TraitsText.keys.contains(key), "\(key)")
    return traits
  }

  @Test("Each number is written from the least on that there is, and as it is read again")
  func numbers() throws {
    #expect(text { _ in }.isEmpty)
    #expect(text { ($0.disc, $0.track, $0.year) = (0, 0, 0) } == " disc=0 track=0 year=0")
    #expect(text { ($0.disc, $0.track, $0.year) = (-1, -1, -1) }.isEmpty)
    #expect(text { $0.milliseconds = 0 }.isEmpty && text { $0.milliseconds = -1 }.isEmpty)
    #expect(text { $0.milliseconds = 1 } == " seconds=0.001")
    #expect(text { $0.milliseconds = 61_020 } == " seconds=61.020")
    #expect(text { $0.milliseconds = 999_999_999_999 } == " seconds=999999999.999")
    #expect(text { $0.milliseconds = 1_000_000_000_000 } == " seconds=999999999.999")
    #expect(try taken("disc", "0").disc == 0)
    #expect(try taken("track", "12").track == 12)
    #expect(try taken("year", "1959").year == 1959)
    #expect(try taken("seconds", "61.020").milliseconds == 61_020)
    #expect(try taken("seconds", "999999999.999").milliseconds == 999_999_999_999)
  }

  @Test("What is no number of seconds, or less than nothing, is refused")
  func strict() throws {
    for key in ["disc", "track", "year"] {
      for value in ["-1", "", "x", "1.0"] {
        #expect(throws: ParseError("\(value) is not a number"), "\(key)") { try taken(key, value) }
      }
    }
    for value in ["1", "1.5", "1.5000", "1000000000.000", "1.000.000", ""] {
      #expect(throws: ParseError("\(value) is not a number of seconds")) {
        try taken("seconds", value)
      }
    }
    #expect(throws: ParseError("-1 is not a number")) { try taken("seconds", "-1.000") }
    #expect(throws: ParseError("%F is not text")) { try taken("title", "%F") }
    #expect(throws: ParseError("%FF is not text")) { try taken("title", "%FF") }
    #expect(try taken("colour", "x") == Traits())
  }

  @Test("Each text has a word of its own")
  func texts() throws {
    let all = text {
      ($0.title, $0.recording, $0.release) = ("a b", "%", "c")
      ($0.artist, $0.album, $0.albumArtist) = ("d", "e", "f")
    }
    #expect(all == " title=a%20b recording=%25 release=c artist=d album=e albumartist=f")
    #expect(try taken("title", "a%20b").title == "a b")
    #expect(try taken("recording", "%25").recording == "%")
    #expect(try taken("release", "c").release == "c")
    #expect(try taken("artist", "d").artist == "d")
    #expect(try taken("album", "e").album == "e")
    #expect(try taken("albumartist", "f").albumArtist == "f")
  }
}
