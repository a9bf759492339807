import TestSupport
import Testing

@testable import ImportedLists

@Suite("Parts of what lists say", .limited)
struct TextBytesTests {
  private func slice(_ text: String) -> ArraySlice<UInt8> { Array("x\(text)".utf8).dropFirst() }

  @Test("Blanks and letters are those of ASCII")
  func bytes() {
    let blanks = (UInt8.min...UInt8.max).filter(isBlank)
    #expect(blanks == [0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20])
    for byte in UInt8.min...UInt8.max {
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      #expect(lower(byte) == (isUpper ? byte | 0x20 : byte))
    }
    #expect((UInt8.min...UInt8.max).filter(isBlankOfXML) == [0x09, 0x0A, 0x0D, 0x20])
    #expect(trimmed(slice(" \t a b \r\n")).elementsEqual("a b".utf8))
    #expect(trimmed(slice(" \t")).isEmpty && trimmed([]).isEmpty)
  }

  @Test("Words are the same in any case, and begin a text or are it")
  func comparing() {
    #expect(begins(slice("#ExtInf:1"), "#EXTINF:") && begins(slice("#EXTINF:"), "#EXTINF:"))
    #expect(!begins(slice("#EXTINF"), "#EXTINF:") && !begins(slice("#EXTINX:"), "#EXTINF:"))
    #expect(!begins(slice("xEXTINF:"), "#EXTINF:"))
    #expect(isSame(slice("FILE"), "File") && !isSame(slice("File1"), "File"))
    #expect(!isSame(slice("Fil"), "File"))
  }

  @Test(
    "A number that counts is above zero, and has nine digits at most",
    arguments: [
      ("1", 1), ("0", nil), ("", nil), ("007", 7), ("12/20", 12), ("-1", nil), ("x1", nil),
      ("999999999", 999_999_999), ("1234567890", 123_456_789), ("1:", 1), ("1/", 1),
    ] as [(String, Int?)])
  func positives(text: String, number: Int?) { #expect(positive(text) == number) }

  @Test("Lengths are those that music may have")
  func lengths() {
    #expect(milliseconds(ofSeconds: 0.001) == 1 && milliseconds(ofSeconds: "1.5") == 1_500)
    #expect(milliseconds(ofSeconds: 0) == 0 && milliseconds(ofSeconds: -1) == 0)
    #expect(milliseconds(ofSeconds: 9_999_999) == 9_999_999_000)
    #expect(milliseconds(ofSeconds: 10_000_000) == 0)
    #expect(milliseconds(ofSeconds: "nan") == 0 && milliseconds(ofSeconds: "x") == 0)
    #expect(milliseconds(1) == 1 && milliseconds(0) == 0 && milliseconds(nil) == 0)
    #expect(milliseconds(9_999_999_999) == 9_999_999_999 && milliseconds(10_000_000_000) == 0)
  }

  @Test("An id of MusicBrainz is one that stands alone, or behind a slash or colon")
  func ids() {
    let id = "0123abcd-4567-89ef-ABCD-0123456789ef"
    let plain = id.lowercased()
    for text in [id, "https://musicbrainz.org/recording/\(id)", "urn:uuid:\(id)"] {
      #expect(musicBrainzID(text) == plain)
    }
    for text in [
      "", String(id.dropFirst()), "x" + id, "-" + id, id + "/", id.replacing("-", with: "_"),
    ] { #expect(musicBrainzID(text).isEmpty, "\(text)") }
    for place in 0..<36 {
      for byte in [0x2D, 0x2F, 0x3A, 0x60, 0x67, 0x40, 0x47] as [UInt8] {
        var other = Array(id.utf8)
        if other[place] == byte { continue }
        other[place] = byte
        #expect(musicBrainzID(String(decoding: other, as: UTF8.self)).isEmpty, "\(place)")
      }
    }
  }

  @Test("What is no text is escaped, with the signs of that")
  func paths() {
    #expect(pathText(slice("a 100% é")) == "a 100% é")
    let bytes: [UInt8] = [0x61, 0x7F, 0x25, 0x80, 0xFF, 0xC3]
    #expect(pathText(bytes[...]) == "a\u{7F}%25%80%FF%C3")
    #expect(words(bytes[...]).isEmpty && words(slice(" a ")) == "a")
  }

  @Test("The line of a byte is told, and one that no list has")
  func places() {
    let text = Array("a\nb\n\nc".utf8)
    #expect((0...text.count).map { line(of: $0, in: text) } == [1, 1, 2, 2, 3, 4, 4])
    for place in text.indices {
      var other = text
      other[place] = 0
      let number = line(of: place, in: other)
      let fault = #expect(throws: ListFault.self) { try refuseZeros(in: other) }
      #expect(fault?.place == .line(number))
    }
  }

  @Test("So many songs and lists are counted, and one more is refused")
  func counting() throws {
    var count = ListCount()
    for _ in 0..<ListLimits.lists { try count.addList() }
    let lists = #expect(throws: ListFault.self) { try count.addList() }
    #expect(lists?.reason.contains("100,000 lists") == true)
    for _ in 0..<ListLimits.songs { try count.addSong() }
    let songs = #expect(throws: ListFault.self) { try count.addSong() }
    #expect(songs?.reason.contains("1,000,000 songs") == true)
    #expect(ListLimits.lists == 100_000 && ListLimits.songs == 1_000_000)
    #expect(ListLimits.bytes == 64 << 20)
  }

  @Test("A file of just so many bytes is looked at, and so is what lies beside it")
  func largest() {
    func reason(_ bytes: Int, beside: Int) -> String {
      let file = [0x1F, 0x8B] + [UInt8](repeating: 0, count: bytes - 2)
      let other = [UInt8](repeating: 0, count: beside)
      do throws(ListFault) {
        _ = try ListFile.readings(of: file, named: "a.m3u", beside: other)
        return ""
      } catch {
        return error.reason
      }
    }
    #expect(reason(ListLimits.bytes, beside: ListLimits.bytes).contains("gzip"))
    #expect(reason(ListLimits.bytes + 1, beside: 0).contains("64 MiB"))
    #expect(reason(9, beside: ListLimits.bytes + 1).contains("64 MiB"))
  }

  @Test("Of several readings the first counts of which more is found than not")
  func readings() {
    #expect(ListFile.right(among: [(5, 0)]) == 0 && ListFile.right(among: []) == nil)
    #expect(ListFile.right(among: [(4, 2), (4, 3), (4, 4)]) == 1)
    #expect(ListFile.right(among: [(4, 2), (0, 0)]) == nil)
  }

  @Test("What a fault quotes has no control characters, and its place is told")
  func faults() {
    #expect("\(ListFault(.line(3), "a\u{1B}b\n"))" == "line 3: a\u{FFFD}b\u{FFFD}")
    #expect("\(ListFault(.offset(0), "x"))" == "byte 0: x" && "\(ListFault(.file, "x"))" == "x")
    #expect(!ListFault(.file, "x").isUnreadable)
    #expect(ListFault(.file, "x", isUnreadable: true).isUnreadable)
  }
}

@Suite("Details of formats", .limited)
struct FormatDetailTests {
  private func file(_ text: String, _ name: String) throws -> ListFile {
    try #require(try ListFile.readings(of: Array(text.utf8), named: name).first)
  }

  private func songs(_ text: String, _ name: String) throws -> [String] {
    try file(text, name).lists.flatMap { $0.songs.map(rendered) }
  }

  @Test("Numbers of PLS are the order, and what has no file is none")
  func pls() throws {
    let text = """
      ; a remark
      [PLAYLIST]
      file10=c
      Title2=Ada - b
      FILE2 = b
      Length2=61
      File0=x
      File=x
      Title7=Nothing
      Length10=-1
      Filex=x
      """
    #expect(try songs(text, "a.pls") == ["b | title b | artist Ada | 61000 ms", "c"])
    #expect(try file("[playlist]\n", "a.pls").lists.map(\.songs) == [[]])
    #expect(try songs("File1=a\n", "a.pls") == ["a"])
  }

  @Test("A title that a player shows has its artist before a dash with blanks around it")
  func shown() throws {
    for (text, expected) in [
      ("a - b", "x | title b | artist a"), (" - ", "x | title -"), ("a -", "x | title a -"),
      ("- b", "x | title - b"), ("a-b", "x | title a-b"),
      ("a - b - c", "x | title b - c | artist a"),
      ("x", "x"), ("", "x"), ("a - ", "x | title a -"),
    ] { #expect(try songs("#EXTINF:0,\(text)\nx\n", "a.m3u") == [expected], "\(text)") }
    #expect(try songs("#EXTINF:0,b\na\\b.c\n", "a.m3u") == ["a\\b.c"])
    #expect(try songs("#EXTINF:0,b.c\na/b.c\n", "a.m3u") == ["a/b.c"])
    #expect(try songs("#EXTINF:0,b\na/b\n", "a.m3u") == ["a/b"])
    #expect(try songs("#EXTINF:0,a\na/b.c\n", "a.m3u") == ["a/b.c | title a"])
  }

  @Test("Of several places of a song the first counts that is a file")
  func places() throws {
    func path(_ locations: String..., base: String = "") throws -> String {
      let all = locations.map { "<location>\($0)</location>" }.joined()
      let text =
        "<playlist xml:base=\"\(base)\"><trackList><track>\(all)</track></trackList></playlist>"
      return try songs(text, "a.xspf")[0]
    }
    #expect(try path("a", "b") == "a")
    #expect(try path("http://x/a", "b", "c") == "b")
    #expect(try path("http://x/a", "file:///b") == "file:///b")
    #expect(try path("http://x/a", "https://x/b") == "http://x/a")
    #expect(try path("http://x/a", "C:\\b") == "C:\\b", "one letter is a drive")
    #expect(try path("a", base: "file:///m/x.xspf") == "file:///m/a")
    #expect(try path("/a", base: "file:///m/") == "/a" && path("a", base: "m") == "a")
    #expect(try path("http:a", base: "file:///m/") == "http:a")
    #expect(try path("a:b c", base: "file:///m/") == "file:///m/a:b c")
    #expect(try path("", base: "file:///m/a") == "file:///m/a")
    #expect(try path("x+y-z.1:a", "b") == "b" && path("x_y:a", "b") == "x_y:a")
  }

  @Test("An order of ours says what a song is, for people, and a snapshot for us")
  func crated() throws {
    let long = String(repeating: "n", count: 197) + "…"
    let order = """
      crate 100%25
      album* bkqv7m2a3x4e Ada - Blue - Live (1970)
      song a1 2-01 One
      offline a2 12 Bob - Two
      gone a3 3-4-5 Three
      song a4 7Four
      song a5 0 Five
      song a6 \(long)
      song a7 x\(long)
      slot a8 elsewhere
      album b Alone
      song b1
      """
    let found = try file(order, "a.txt")
    #expect(found.lists.map(\.name) == ["100%"])
    let about = "album Blue - Live (1970) | albumartist Ada"
    #expect(
      found.lists[0].songs.map(rendered) == [
        " | title One | artist Ada | \(about) | disc 2 | track 1",
        " | title Two | artist Bob | \(about) | track 12",
        " | title 3-4-5 Three | artist Ada | \(about)", " | title 7Four | artist Ada | \(about)",
        " | title 0 Five | artist Ada | \(about)", " | title \(long) | artist Ada | \(about)",
        // More than two hundred bytes that were cut.
        " | artist Ada | \(about)", " | album Alone",
      ])
    let snapshot = """
      crated 2 sequence 7
      # a remark
      crate A
      \talbum b group=by%09ada%09blue touched=all Ada - Blue
      \t\tsong s added=x title=So%20What disc=2 track=3 seconds=61.500 artist=Bob /m/a=b %25.mp3 
      \t\tgone t album=Other albumartist=Eve release=r recording=q x=y=z /m/%FF
      \talbum c group=folder%09x Ada - Red
      \t\tsong u /m/u
      end 1 lines

      """
    let stored = try file(snapshot, "a.txt").lists[0].songs.map(rendered)
    #expect(
      stored == [
        "/m/a=b %.mp3  | title So What | artist Bob | album blue | albumartist ada | disc 2"
          + " | track 3 | 61500 ms",
        "/m/%FF | album Other | albumartist Eve | recording q | release r", "/m/u",
      ])
  }

  @Test("A text of ours that is none is refused at its line")
  func badOrders() {
    for (text, place) in [
      ("crate A\ncrate %\n", .line(2)), ("crate A\ncrate %+1\n", .line(2)),
      ("crate %FF\n", .line(1)), ("# sequence 1\nalbum b\n", .line(2)),
      ("crate A\nalbum b\nsong s x\ncrate B\nsong t\n", .line(5)),
      ("crate A\nalbum b\n", .file), ("crate A\ncrated 2 sequence 1\n", .line(2)),
      ("crated 2 sequence 1\nend 0 lines\ncrate A\n", .line(3)), ("crate A\nend\n", .line(2)),
      ("crated 2 sequence 1\ncrate A\nalbum b\nsong s title=x\nend\n", .line(4)),
      ("crated 2 sequence 1\ncrate A\nalbum b\nsong s title=% /a\nend\n", .line(4)),
      ("crated 2 sequence 1\ncrated 2 sequence 1\nend\n", .line(2)),
    ] as [(String, ListFault.Place)] {
      let fault = #expect(throws: ListFault.self, "\(text)") {
        try ListFile.readings(of: Array(text.utf8), named: "a.txt")
      }
      #expect(fault?.place == place, "\(text)")
    }
  }

  @Test("Characters by number are those that a document may have")
  func references() {
    for (text, expected) in [
      ("#9", "\t"), ("#10", "\n"), ("#13", "\r"), ("#x20", " "), ("#xD7FF", "\u{D7FF}"),
      ("#xE000", "\u{E000}"), ("#xFFFD", "\u{FFFD}"), ("#x10000", "\u{10000}"),
      ("#x10FFFF", "\u{10FFFF}"), ("#x0010FFFF", "\u{10FFFF}"), ("#x1f3B5", "\u{1F3B5}"),
      ("#8", nil), ("#11", nil), ("#12", nil), ("#31", nil), ("#xD800", nil), ("#xFFFE", nil),
      ("#xFFFF", nil), ("#x110000", nil), ("#x00010FFFF", nil), ("#", nil), ("#x", nil),
      ("#+9", nil), ("#-9", nil), ("#x+9", nil), ("#X20", nil), ("", nil), ("AMP", nil),
      ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"),
    ] as [(String, String?)] {
      let events = try? XMLTests.events(Array("<a>x&\(text);y</a>".utf8))
      #expect(events == expected.map { ["Sa", "Tx\($0)y", "Ea"] }, "\(text)")
    }
  }

  @Test("Names have letters, digits and few signs, and begin with neither digit, dash nor dot")
  func names() {
    for byte in UInt8.min..<0x80 {
      let sign = String(Unicode.Scalar(byte))
      let isLetter = byte != 0x3A && Character(Unicode.Scalar(byte)).isLetter
      let mayBegin = isLetter || "_:".contains(sign)
      let mayFollow = mayBegin || "-.0123456789".contains(sign)
      // What ends a name, or the element.
      if "/> \t\n\r".contains(sign) { continue }
      let first = try? XMLTests.events(Array("<\(sign)a/>".utf8))
      #expect(first == (mayBegin ? ["S\(sign)a", "E\(sign)a"] : nil), "\(byte)")
      let next = try? XMLTests.events(Array("<a\(sign)/>".utf8))
      #expect(next == (mayFollow ? ["Sa\(sign)", "Ea\(sign)"] : nil), "\(byte)")
    }
  }

  @Test("So many attributes are read, and one more is not")
  func attributes() throws {
    func events(_ count: Int) throws -> Int {
      let text = (0..<count).map { " a\($0)=''" }.joined()
      return try XMLTests.events(Array("<a\(text)/>".utf8)).count
    }
    #expect(try events(ListLimits.attributes) == 2)
    #expect(throws: ListFault.self) { try events(ListLimits.attributes + 1) }
  }
}
