import TestSupport
import Testing

@testable import ImportedLists

@Suite("Values in lists, and how many there may be", .limited)
struct ValueTests {
  @Test(
    "A number that counts is above zero, and has nine digits at most",
    arguments: [
      ("1", 1), ("0", nil), ("", nil), ("007", 7), ("12/20", 12), ("-1", nil), ("x1", nil),
      ("999999999", 999_999_999), ("1234567890", 123_456_789), ("1:", 1), ("1/", 1),
    ] as [(String, Int?)])
  func positives(text: String, number: Int?) { #expect(positive(text) == number) }

  @Test("Lengths are those that music may have")
  func lengths() {
    for (text, expected) in [
      ("0.001", 1), ("1.5", 1_500), ("0", 0), ("-1", 0), ("9999999", 9_999_999_000),
      ("10000000", 0), ("nan", 0), ("x", 0),
    ] { #expect(milliseconds(ofSeconds: text) == expected, "\(text)") }
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
      var other = Array(id.utf8)
      other[place] = UInt8(ascii: other[place] == UInt8(ascii: "-") ? "0" : "g")
      #expect(musicBrainzID(String(decoding: other, as: UTF8.self)).isEmpty, "\(place)")
    }
  }

  @Test("So many lists are read, and with one more the file is refused")
  func mostLists() throws {
    var count = ListCount()
    for _ in 0..<100_000 { try count.addList() }
    let fault = #expect(throws: ListFault.self) { try count.addList() }
    #expect(fault?.reason.contains("100,000 lists") == true)
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
