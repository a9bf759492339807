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
  }

  @Test("A file of just so many bytes is looked at, and so is what lies beside it")
  func largest() {
    func reason(_ bytes: Int, beside: Int) -> String {
      let file = [0x1F, 0x8B] + [UInt8](repeating: 0, count: bytes - 2)
      let other = [UInt8](repeating: 0, count: beside)
      do throws(ListFault) {
        _ = try ListFile(of: file, named: "a.m3u", beside: other)
        return ""
      } catch {
        return error.reason
      }
    }
    #expect(reason(ListLimits.bytes, beside: 0).contains("gzip"))
    #expect(reason(9, beside: ListLimits.bytes).contains("gzip"))
    #expect(reason(ListLimits.bytes + 1, beside: 0).contains("256 MiB"))
    #expect(reason(9, beside: ListLimits.bytes + 1).contains("256 MiB"))
  }

  @Test("What a fault quotes has no control characters, and its place is told")
  func faults() {
    #expect("\(ListFault(.line(3), "a\u{1B}b\n"))" == "line 3: a\u{FFFD}b\u{FFFD}")
    #expect("\(ListFault(.offset(0), "x"))" == "byte 0: x" && "\(ListFault(.file, "x"))" == "x")
    #expect(!ListFault(.file, "x").isUnreadable)
    #expect(ListFault(.file, "x", isUnreadable: true).isUnreadable)
  }
}
