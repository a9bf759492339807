import LibraryModel
import TestSupport
import Testing

/// A WAV's LIST chunk of texts, which programs write in whatever code page they run in.
@Suite("INFO of a WAV", .limited) struct InfoTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static func chunk(_ name: [UInt8], _ content: [UInt8]) -> [UInt8] {
    let size = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: content.count >> $0) }
    return name + size + content + (content.count % 2 == 0 ? [] : [0])
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    chunk(Array(name.utf8), content)
  }

  private static func info(_ chunks: [UInt8]) -> [UInt8] {
    chunk("LIST", Array("INFO".utf8) + chunks)
  }

  /// What a WAV says that has these chunks behind its sound.
  private func tags(_ chunks: [UInt8]) throws -> SongTags {
    let sound = try readFile(SampleMusic.sound(.wav))
    return try facts(of: folder.write(sound + chunks, to: "song.wav")).tags
  }

  private func title(_ text: [UInt8], page: UInt16? = nil) throws -> String {
    let declared = page.map { page in
      let bytes = [page, page >> 8].map { UInt8(truncatingIfNeeded: $0) }
      return Self.chunk("CSET", bytes + [0, 0, 0, 0, 0, 0])
    }
    return try tags((declared ?? []) + Self.info(Self.chunk("INAM", text))).title
  }

  @Test("has the fields that it has a place for, whatever stands between them")
  func fields() throws {
    let odd = Self.chunk([0, 0x6E, 0, 0x69], []) + Self.chunk("a b ", [1, 2, 3])
    let texts = [
      ("INAM", "Title"), ("IART", "Artist"), ("IPRD", "Album"), ("IGNR", "Rock"),
      ("ICRD", "1999-05-04"), ("ITRK", "3/12"), ("ICMT", "left out"), ("INAM", "too late"),
    ].map { Self.chunk($0, Array($1.utf8) + [0]) }
    let tags = try tags(Self.info(odd + texts.joined(separator: odd)))
    #expect([tags.title, tags.artist, tags.album] == ["Title", "Artist", "Album"])
    #expect([tags.genre, tags.date] == ["Rock", "1999-05-04"])
    #expect(tags.track == 3 && tags.trackTotal == 12)
  }

  @Test("is read in the code page that the file declares, else UTF-8, else Windows-1252")
  func encodings() throws {
    let latin: [UInt8] = [0x42, 0x6A, 0xF6, 0x72, 0x6B]
    #expect(try title(latin) == "Björk")
    #expect(try title(Array("Björk Демо".utf8)) == "Björk Демо")
    #expect(try title([0x80, 0x20, 0x93, 0x61, 0x94, 0x9F]) == "€ “a”Ÿ")
    #expect(try title(Array("ö".utf8), page: 1252) == "Ã¶")
    #expect(try title(Array("ö".utf8), page: 65001) == "ö")
    #expect(try title(latin, page: 65001) == "Bj\u{FFFD}rk")
    // Ends at a zero, and where it lies about its size.
    #expect(try title(Array("Title\0left over".utf8)) == "Title")
    let name = Array("INFOINAM".utf8)
    #expect(try tags(Self.chunk("LIST", name + [9, 0, 0, 0, 0x41])).title == "A")
    #expect(try tags(Self.chunk("LIST", name + [255, 255, 255, 255])).title == "")
  }
}
