import TestSupport
import Testing

@testable import OrderFormat

@Suite("The order as text", .limited)
struct OrderFormatTests {
  private let id = "bkqv7m2a3x4e"

  /// What the lines of a text say.
  private func lines(_ text: String) throws(OrderFault) -> [OrderLine] {
    var reader = OrderReader()
    var lines: [OrderLine] = []
    for line in Array(text.utf8).split(separator: 0x0A) {
      if let line = try reader.read(line) { lines.append(line) }
    }
    return lines
  }

  private func bytes(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

  @Test("What is written is read again, whatever the names are")
  func roundTrip() throws {
    for name in ["Jazz", "100%", "a\tb\u{7F}", "#", "crate x", "\u{301}é", " x", "bkqv7m2a3x4f"] {
      var writer = OrderWriter()
      writer.addCrate(name, id: id)
      writer.addAlbum(id, shown: name)
      writer.addAlbum(id, isArranged: true)
      for kind in ["song", "offline", "gone"] { writer.addSong(id, kind: kind, shown: name) }
      #expect(writer.text.split(separator: "\n").count == 6, "\(name)")
      let read = try lines(writer.text)
      guard case .crate(id, let crate) = read.first else {
        Issue.record("\(name): \(read)")
        continue
      }
      #expect(crate == name.drop { $0 == " " })
      let rests = read.dropFirst().map { line in
        switch line {
        case .album(id, let rest), .song(id, let rest): ShownText.read(rest)
        default: "\(line)"
        }
      }
      let shown = String(name.drop { $0 == " " })
      #expect(rests == [shown, "", shown, shown, shown])
    }
  }

  @Test("A crate is named with its id before it, or without")
  func crates() throws {
    for (text, expected, name) in [
      ("crate Jazz", nil, "Jazz"), ("crate \(id) Jazz", id, "Jazz"), ("crate \(id)", nil, id),
      ("\t crate \t Late night", nil, "Late night"),
      ("crate 2kqv7m2a3x4e A", nil, "2kqv7m2a3x4e A"),
      ("crate", nil, ""),
    ] as [(String, String?, String)] {
      #expect(try lines(text) == [.crate(id: expected, name: name)], "\(text)")
    }
  }

  @Test("What has nothing to read is read past")
  func nothing() throws {
    #expect(try lines(" \t\r\n# sequence 7\n  #\nslot \(id) A\n").isEmpty)
  }

  @Test(
    "A line that makes no sense is refused, in words that help",
    arguments: [
      ("album bkqv7m2a3x4e", "above the first crate"),
      ("crate A\nsong bkqv7m2a3x4e", "first album"),
      ("crate A\nalbum bkqv7m2a3x4e\ncrate B\ngone bkqv7m2a3x4e", "first album"),
      ("crate A\nalbum bkqv", "after “album” is not whole"), ("song *bkqv7m2a3x4e", "not whole"),
      ("crate A\nalbum* bkqv7m2a3x41", "after “album*”"), ("crate 100% vinyl", "written %25"),
      ("crate %FF", "written %25"), ("Crate A", "“Crate” can't start"), ("end 1", "“end” can't"),
    ])
  func refusals(text: String, words: String) throws {
    let fault = try #require(throws: OrderFault.self) { try lines(text) }
    #expect(fault.reason.contains(words), "\(fault)")
  }

  @Test("A long text is cut between characters, and known as one that was")
  func cutting() {
    for character in ["n", "é", "夜", "\u{1F3B5}"] {
      for count in 40...210 {
        let text = String(repeating: character, count: count)
        let cut = ShownText.cut(text)
        let isCut = text.utf8.count > 200
        #expect(cut.utf8.count <= 204 && (cut == text) == !isCut)
        #expect(ShownText.read(bytes(cut)) == (isCut ? "" : text), "\(count) of \(character)")
      }
    }
    #expect(ShownText.read(bytes("100% a")) == "100% a", "as people write it")
    #expect(ShownText.read([0x61, 0xFF]).isEmpty)
  }

  @Test("What is shown of an album is read again, but for an artist with a dash")
  func albums() {
    for (artist, title, year, text) in [
      ("Ada", "Blue - Live", 1970, "Ada - Blue - Live (1970)"), ("", "Alone", nil, "Alone"),
      ("", "1984 (199)", nil, "1984 (199)"), ("", "", 1970, " (1970)"),
    ] as [(String, String, Int?, String)] {
      #expect(ShownText.album(artist: artist, title: title, year: year) == text)
      #expect(ShownText.album(text) == (artist, title), "\(text)")
    }
    #expect(ShownText.album(artist: "", title: "Blue (1970)", year: 1970) == "Blue (1970)")
  }

  @Test("What is shown of a song is read again, but for a title with a dash")
  func songs() {
    for (disc, track, artist, title, text) in [
      (nil, 1, "", "One", "01 One"), (2, 0, "", "Zero", "2-00 Zero"),
      (nil, 120, "Bob", "Two - Live", "120 Bob - Two - Live"), (nil, nil, "", "", ""),
      (nil, nil, "", "3-4-5 Three", "3-4-5 Three"), (nil, nil, "", "0 Five", "0 Five"),
      (nil, nil, "", "7Four", "7Four"), (1, 12, "", "", "1-12 "),
    ] as [(Int?, Int?, String, String, String)] {
      #expect(ShownText.song(disc: disc, track: track, artist: artist, title: title) == text)
      #expect(ShownText.song(text) == (disc, track, artist, title), "\(text)")
    }
  }
}
