import TestSupport
import Testing
import Text

@Suite("What bytes mean as text", .limited)
struct TextEncodingsTests {
  /// Bytes at the edges of table 3-7, and some between.
  private static let edges: [UInt8] = [
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
    0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
  ]

  /// Where Swift's own reading ends: behind the longest beginning that is text.
  private func fault(_ bytes: [UInt8]) -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    return (0..<bytes.count).last { String(validating: bytes[..<$0], as: UTF8.self) != nil }
  }

  @Test("UTF-8 is what the standard library says it is, up to where it isn't")
  func utf8() {
    #expect(faultInUTF8([]) == nil)
    for first in 0...UInt8.max {
      #expect(faultInUTF8([first]) == fault([first]))
      for second in 0...UInt8.max {
        #expect(faultInUTF8([first, second]) == fault([first, second]))
      }
    }
    for first in Self.edges {
      for second in Self.edges {
        for third in Self.edges {
          let bytes = [first, second, third]
          #expect(faultInUTF8(bytes) == fault(bytes), "\(bytes)")
          for last in [0x41, 0x7F, 0x80, 0xBF, 0xC0] as [UInt8] {
            #expect(faultInUTF8(bytes + [last]) == fault(bytes + [last]), "\(bytes) \(last)")
          }
        }
      }
    }
    #expect(faultInUTF8(Array("é🎵a".utf8) + [0xC3]) == 7)
  }

  @Test("UTF-16 is read in both orders, and what is no character is replaced")
  func utf16() {
    var dice = SeededGenerator(seed: 16)
    let units: [UInt16] = [0x41, 0xE9, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFD]
    for count in 0..<200 {
      let some = (0..<(count % 12)).map { _ in units.randomElement(using: &dice) ?? 0 }
      let text = Array(String(decoding: some, as: UTF16.self).utf8)
      let little = some.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
      let big = some.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
      #expect(decodedUTF16([0xFF, 0xFE] + little) == text)
      #expect(decodedUTF16([0xFE, 0xFF] + big) == text)
      #expect(Text.utf8(ofUTF16: little[...], isBig: false) == text)
      // Half a unit at the end.
      let replaced = text + Array("\u{FFFD}".utf8)
      #expect(decodedUTF16([0xFF, 0xFE] + little + [0x41]) == replaced)
      #expect(Text.utf8(ofUTF16: (big + [0])[...], isBig: true) == replaced)
      // A part of something longer.
      #expect(Text.utf8(ofUTF16: ([0, 0, 0] + big)[3...], isBig: true) == text)
    }
    for bytes: [UInt8] in [
      [], [0xFF], [0xFE], [0xFE, 0xFE], [0xFF, 0xFF], [0x41, 0], [0, 0xFE],
    ] {
      #expect(decodedUTF16(bytes) == nil, "\(bytes)")
    }
  }

  @Test("What tells itself is text, and what doesn't has no reading of its own")
  func known() {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    #expect(ListText.decoded([]) == [])
    #expect(ListText.decoded(Array("é".utf8)) == Array("é".utf8))
    #expect(ListText.decoded(mark + Array("é".utf8)) == Array("é".utf8))
    #expect(ListText.decoded([0xFF, 0xFE, 0xE9, 0]) == Array("é".utf8))
    #expect(ListText.decoded([0xE3, 0x41]) == nil)
    #expect(ListText.decoded(mark + [0xE3]) == nil)
    #expect(ListText.withoutMark(mark) == [])
    #expect(ListText.withoutMark([0xEF, 0xBB]) == [0xEF, 0xBB])
  }
}

@Suite("Code pages", .limited)
struct CodePageTests {
  /// The same text in a code page, as Python has it.
  private static func encoded(_ text: String, _ page: String) throws -> [UInt8] {
    let python = try run(
      "python3",
      [
        "-X", "utf8", "-c", "import sys; print(sys.argv[1].encode(sys.argv[2]).hex())", text, page,
      ])
    #expect(python.status == 0, "\(python.errors)")
    let digits = Array(python.output.filter(\.isHexDigit))
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
  }

  @Test(
    "Lists of any country are read",
    arguments: [
      ("cp1252", "Zoë"), ("cp1250", "Dvořák"), ("cp1251", "Группа крови"), ("cp932", "朝陽表\\"),
      ("gbk", "后来"), ("big5", "許功蓋"), ("cp949", "똠방각하"), ("cp1253", "Ρεμπέτικα"),
      ("cp1254", "Işık Doğudan"), ("cp1257", "Žalgiris"), ("cp1255", "שלום"), ("cp1256", "أغنية"),
      ("cp874", "เพลง"), ("cp850", "Noël"), ("cp437", "Motörhead"), ("cp852", "Łódź"),
      ("cp866", "Кино"), ("cp737", "Ρεμπέτικα"), ("cp857", "İstanbul"), ("cp775", "Žąsis"),
      ("cp862", "שלום"), ("koi8-u", "Океан Ельзи"), ("iso8859-2", "Świetliki"), ("euc_jp", "荒井由実"),
      ("mac_roman", "Björk"),
    ])
  func pages(name: String, text: String) throws {
    let page = try #require(CodePage(named: name.replacing("_", with: "-")))
    let bytes = try Self.encoded(text, name)
    let decoded = try #require(CodePages().decoded(bytes, from: page))
    #expect(String(decoding: decoded, as: UTF8.self) == text)
  }

  @Test("A page is known by the names that files have for it")
  func names() {
    for (name, page) in [
      ("windows-1251", .cyrillic), ("CP1251", .cyrillic), ("1251", .cyrillic),
      ("Shift_JIS", .japanese), ("gb2312", .simplifiedChinese), ("Big5", .traditionalChinese),
      ("EUC-KR", .korean), ("ISO-8859-1", .western), ("IBM850", .consoleWestern),
      ("KOI8-R", .unixCyrillic), ("", nil), ("utf-8", nil), ("../../x", nil), ("EBCDIC", nil),
    ] as [(String, CodePage?)] { #expect(CodePage(named: name) == page, "\(name)") }
  }

  @Test("What is no character is one mark for each of its bytes, and ASCII is what it is")
  func odd() throws {
    let pages = CodePages()
    for page in CodePage.allCases {
      // All but a few bytes of control.
      let plain = Array(0x20...0x7D as ClosedRange<UInt8>) + [0x09, 0x0A, 0x0D]
      #expect(pages.decoded(plain, from: page) == plain, "\(page)")
      #expect(pages.decoded([], from: page) == [])
    }
    let cut = try #require(pages.decoded([0x41, 0x92, 0x0A, 0x92], from: .japanese))
    #expect(String(decoding: cut, as: UTF8.self) == "A\u{FFFD}\n\u{FFFD}")
    // A letter that may yet get an accent is no part of the next text.
    let waiting = try #require(pages.decoded([0x61], from: .vietnamese))
    #expect(waiting == [0x61])
    #expect(pages.decoded([0xCC, 0x62], from: .vietnamese) == Array("\u{300}b".utf8))
    let long = [UInt8](repeating: 0xE9, count: 100_000)
    #expect(pages.decoded(long, from: .western)?.count == 200_000)
  }

  /// What a list is read as whose songs have these paths.
  private func read(
    _ bytes: [UInt8], songs: Set<String>, usual: CodePage? = nil
  ) -> (text: ListText, readings: Int) {
    var readings = 0
    let text = ListText(bytes, CodePages(), usual: usual) { text in
      readings += 1
      let lines = text.split(separator: 0x0A).filter { $0.first != UInt8(ascii: "#") }
      let found = lines.count { songs.contains(String(decoding: $0, as: UTF8.self)) }
      return .init(listed: lines.count, found: found)
    }
    return (text, readings)
  }

  @Test("The whole list is read in the page in which most of its songs are there")
  func most() throws {
    let ascii = (1...12).map { "Plain/\($0).mp3" }
    let russian = (1...3).map { "Кино/\($0).mp3" }
    let bytes = try Self.encoded((ascii + russian).joined(separator: "\n"), "cp1251")
    let (text, _) = read(bytes, songs: Set(ascii + russian))
    #expect(text.page == .cyrillic && text.isKnown)
    #expect(String(decoding: text.bytes, as: UTF8.self).hasSuffix("Кино/3.mp3"))
    // Some are not there: the same.
    #expect(read(bytes, songs: [russian[0]]).text.page == .cyrillic)
    // What is UTF-8 is not asked for.
    let (utf8, readings) = read(Array("Zoë".utf8), songs: [])
    #expect(utf8.isKnown && utf8.page == nil && readings == 0)
    // Names that are no text are right where they are there.
    let (odd, _) = read([0x41, 0xE9], songs: ["A\u{FFFD}"])
    #expect(odd.page == nil && odd.isKnown && odd.bytes == [0x41, 0xE9])
  }

  @Test("A list whose encoding shows in nothing is a guess, by what it says first")
  func guesses() throws {
    let russian = try Self.encoded("Кино/1.mp3\n", "cp1251")
    let (text, _) = read(russian, songs: [])
    #expect(!text.isKnown && text.page == .western)
    let named = Array("#EXTM3U\n#EXTENC:windows-1251\n".utf8) + russian
    #expect(read(named, songs: []).text.page == .cyrillic)
    #expect(read(russian, songs: [], usual: .unixCyrillic).text.page == .unixCyrillic)
    // What is found in any reading tells nothing of the others.
    #expect(!read(Array("a.mp3\n".utf8) + russian, songs: ["a.mp3"]).text.isKnown)
  }

  @Test("A long list is judged by some of its lines, those with letters among them")
  func long() throws {
    let plain = (0..<40_000).map { "Plain/\($0).mp3\n" }.joined()
    let russian = try Self.encoded("Кино/1.mp3\n", "cp1251")
    let bytes = Array(plain.utf8) + russian + Array(plain.utf8)
    var largest = 0
    let text = ListText(bytes, CodePages()) { text in
      largest = max(largest, text.count)
      let lines = text.split(separator: 0x0A)
      return .init(
        listed: lines.count, found: lines.count { $0.elementsEqual("Кино/1.mp3".utf8) })
    }
    #expect(text.page == .cyrillic && largest < 400 << 10)
    #expect(text.bytes.count == bytes.count + 4)
    // A file of one line, or of nothing but ends of lines, is no reason to read on for ever.
    for byte in [0xE9, 0x0A, 0x0D] as [UInt8] {
      let odd = [UInt8](repeating: byte, count: 1 << 20) + [0xE9]
      #expect(read(odd, songs: []).text.bytes.count >= odd.count)
    }
  }
}
