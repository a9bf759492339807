import CratesInterface
import Glibc
import Platform
import TestSupport
import Testing

@testable import crate

@Suite("Values as people read them", .limited)
struct ShownTests {
  @Test("Numbers have commas, and what is counted its plural")
  func counts() {
    for (number, text) in [
      (0, "0"), (999, "999"), (1_000, "1,000"), (12_345, "12,345"), (999_999, "999,999"),
      (1_234_567, "1,234,567"), (-5, "-5"), (-1_234, "-1,234"),
    ] {
      #expect(Shown.count(number) == text)
    }
    #expect(Shown.count(Int.min) == "-9,223,372,036,854,775,808")
    #expect(Shown.count(1, "song") == "1 song" && Shown.count(0, "song") == "0 songs")
    #expect(Shown.count(2, "song") == "2 songs" && Shown.count(-1, "song") == "-1 songs")
  }

  @Test("Of several the last is behind an or")
  func choices() {
    #expect(Shown.either([]) == "" && Shown.either(["A"]) == "A")
    #expect(Shown.either(["A", "B"]) == "A or B")
    #expect(Shown.either(["A", "B", "C"]) == "A, B or C")
  }

  @Test("A word is quoted where a shell would make something else of it")
  func words() {
    for plain in ["az", "AZ", "09", "a-b_c,d.e/f"] { #expect(Shown.word(plain) == plain) }
    for odd in ["", "a b", "a:b", "a;b", "`", "{", "@", "[", "^", "a+b", "é", "*", "~"] {
      #expect(Shown.word(odd) == "'\(odd)'")
    }
    #expect(Shown.word("it's") == "'it'\\''s'")
    for (text, words) in [
      ("The Wall by Someone", "The Wall by Someone"), ("a; b", "'a; b'"),
      ("it's so", "\"it's so\""),
      ("it's $5", "'it'\\''s $5'"),
    ] {
      #expect(Shown.words(text) == words)
    }
  }

  @Test("Lengths have minutes, and hours where there are any")
  func lengths() {
    for (seconds, text) in [
      (0, ""), (-1, ""), (0.4, "0:00"), (1, "0:01"), (9.6, "0:10"), (59.4, "0:59"), (59.5, "1:00"),
      (187, "3:07"), (600, "10:00"), (3_599, "59:59"), (3_600, "1:00:00"), (3_661, "1:01:01"),
      (36_610, "10:10:10"), (86_400, "24:00:00"), (.infinity, ""), (.nan, ""), (1e300, ""),
    ] as [(Double, String)] {
      #expect(Shown.duration(seconds) == text, "\(seconds)")
    }
  }

  @Test("A time is the wall's, and what is none is shown as it is")
  func times() {
    // Wherever the machine stands, seconds are the same.
    #expect(Shown.time("2026-11-21T10:07:09Z").hasSuffix(":09"))
    #expect(Shown.time("2026-11-21T10:07:10.999Z").hasSuffix(":10"))
    #expect(Shown.time("2026-11-21T12:07:10Z").utf8.count == 19)
    #expect(Shown.time("2026-06-15T12:00:10Z").hasPrefix("2026-06-1"))
    for odd in [
      "", "soon", "2026-11-21T10:07:09", "2026-11-21T10:07Z", "2026-1-1T1:7:9Z", "\u{1B}[2J",
    ] {
      #expect(Shown.time(odd) == odd.harmless)
    }
  }

  @Test("Who made a change, and what is not there, has a word")
  func marks() {
    var change = Interface.Change(
      changed: true, sequence: 1, time: "", author: .person, summary: "")
    #expect(Shown.author(of: change) == "you")
    change.author = .folder
    #expect(Shown.author(of: change) == "folder")
    change.origin = "Jazz\u{1B}.m3u"
    #expect(Shown.author(of: change) == "by Jazz␛.m3u")
    #expect(Shown.mark(.present) == "" && Shown.mark(.gone) == "gone")
  }

  @Test("Pictures and wide letters take two columns, marks none, vowel signs one of their own")
  func widths() {
    for (text, width) in [
      ("", 0), ("abc", 3), (" ~", 2), ("é", 1), ("e\u{301}", 1), ("東京", 4), ("🎷", 2),
      ("👨‍👩‍👧", 2), ("👍🏽", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("❤", 1), ("का", 2), ("क", 1),
      ("a東", 3), ("\u{FE0F}", 0),
    ] {
      #expect(DisplayWidth.of(text) == width, "\(text)")
    }
  }

  @Test("A change says what it did, and of none it is said that there was nothing to do")
  func changes() {
    for (changed, summary, said) in [
      (true, "moved\u{1B}", "moved␛"), (true, "nothing", "nothing"),
      (false, "moved", "nothing to do"), (false, "", "nothing to do"),
      (false, "nothing to do: it is there", "nothing to do: it is there"),
    ] {
      var change = Interface.Change(
        changed: changed, sequence: 1, time: "", author: .person, summary: summary)
      #expect(Changes.lines(of: change) == [said])
      change.notes = (1...5).map { "n\($0)" }
      #expect(
        Changes.lines(of: change) == [
          said, "  n1", "  n2", "  n3", "  n4", "  and 1 more; crate history --all shows them",
        ])
    }
  }

  @Test("Of many notes the first are shown, and how many more there are")
  func notes() {
    let notes = (1...5).map { "note \($0)\u{1B}" }
    #expect(Changes.noteLines([], indent: 2) == [])
    #expect(Changes.noteLines(Array(notes.prefix(1)), indent: 2) == ["  note 1␛"])
    #expect(Changes.noteLines(Array(notes.prefix(4)), indent: 0).last == "note 4␛")
    #expect(
      Changes.noteLines(notes, indent: 1) == [
        " note 1␛", " note 2␛", " note 3␛", " note 4␛",
        " and 1 more; crate history --all shows them",
      ])
    #expect(Changes.noteLines(notes, indent: 1, all: true).count == 5)
  }

  @Test("A terminal has as many columns as the person says, else as it says, but not too few")
  func columns() {
    for (told, set, columns) in [
      (100, nil, 100), (nil, nil, 80), (5, nil, 20), (20, nil, 20), (21, nil, 21), (100, "40", 40),
      (100, "3", 20), (100, "1", 20), (100, "0", 100), (100, "-5", 100), (100, "x", 100),
      (nil, "x", 80), (nil, "9", 20), (1, nil, 20),
    ] as [(Int?, String?, Int)] {
      #expect(
        Terminal.columns(told: told, set: set) == columns, "\(told ?? 0) \(set ?? "")")
    }
  }

  @Test("The pager is what the person says, which may be none")
  func pagers() {
    func command(_ variables: [String: String]) -> String? { Pager.command { variables[$0] } }
    #expect(command([:]) == "less")
    #expect(command(["PAGER": "more -s"]) == "more -s")
    #expect(command(["PAGER": "more", "CRATE_PAGER": "most"]) == "most")
    #expect(command(["PAGER": "more", "CRATE_PAGER": ""]) == nil)
    #expect(command(["PAGER": " cat "]) == nil && command(["PAGER": "  "]) == nil)
    #expect(command(["PAGER": "cat -v"]) == "cat -v")
  }

  @Test("A yes is one in any letter case, and the end of the input is none")
  func answers() {
    for line in ["y", "Y", "yes", " Yes \t"] {
      #expect(Input.isYes(line, byDefault: false) && Input.isYes(line, byDefault: true))
    }
    for line in ["n", "no", "yess", "j"] {
      #expect(!Input.isYes(line, byDefault: false) && !Input.isYes(line, byDefault: true))
    }
    for line in ["", "  "] {
      #expect(!Input.isYes(line, byDefault: false) && Input.isYes(line, byDefault: true))
    }
    #expect(!Input.isYes(nil, byDefault: true))
  }

  @Test("The input's lines are those with words, and of so many bytes at most")
  func input() throws {
    let folder = try TemporaryFolder()
    func lines(_ text: String, most: Int) throws(Failure) -> [String] {
      let file = OpenFile(owning: open(folder.path("in"), O_RDWR | O_CREAT | O_TRUNC, 0o600))
      #expect((try? writeAll(Array(text.utf8), to: file.descriptor)) != nil)
      lseek(file.descriptor, 0, SEEK_SET)
      return try Input.lines(on: file.descriptor, most: most)
    }
    #expect(try lines("ab\n\n \ncd\0e\r\n", most: 1 << 20) == ["ab", "cd", "e"])
    #expect(try lines(String(repeating: "a\n", count: 1 << 19), most: 1 << 20).count == 1 << 19)
    let fault = #expect(throws: Failure.self) {
      try lines(String(repeating: "a\n", count: 1 << 19) + "b", most: 1 << 20)
    }
    #expect(fault?.message.contains("at most 1 MiB") == true)
  }

  @Test("What is written is gathered up to 64 KiB, and nothing is written twice")
  func gathered() {
    var output = WaitingOutput()
    let line = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 10)
    let isMuch = (0..<64).map { _ in output.add(line) }
    #expect(!isMuch.contains(true))
    let isMore = output.add([UInt8(ascii: "b")])
    #expect(isMore)
    let all = output.take()
    #expect(all == Array(repeatElement(line, count: 64).joined()) + [UInt8(ascii: "b")])
    let none = output.take()
    #expect(none.isEmpty)
  }
}
