import LibraryModel
import TagReading
import TestSupport
import Testing

/// Text that was written in another encoding than its tag says: old taggers did, everywhere.
@Suite("Wrong bytes in text", .limited) struct WrongByteTests {
  private static let formats = SampleFormat.allCases.filter { $0 != .wma }

  /// Whole values, in which a byte is then made wrong. What isn't ASCII makes ID3 take UTF-8.
  private static let tags = [
    "title": "J@ga Mø", "artist": "Bj@rk", "album": "H@mogénic", "track": "2",
  ]

  private func spoiled(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for index in bytes.indices.dropLast(4) where bytes[index] == UInt8(ascii: "@") {
      // None of sound: these letters stand around the sign in our values only.
      let around = [bytes[index - 1], bytes[index + 1]]
      if ["Jg", "jr", "Hm"].contains(String(decoding: around, as: UTF8.self)) {
        bytes[index] = 0xF3
      }
    }
    return bytes
  }

  @Test("cost that byte, and neither the field nor the others", arguments: formats)
  func everyFormat(_ format: SampleFormat) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("song.\(format.pathExtension)")
    try SampleMusic.write(format, tags: Self.tags, to: path)
    let whole = try readFile(path)
    let bytes = spoiled(whole)
    try #require(zip(whole, bytes).filter { $0 != $1 }.count >= 3, "the values are in the file")
    try writeFile(bytes, to: path)
    let read = try facts(of: path)
    #expect([read.tags.title, read.tags.album] == ["J\u{FFFD}ga Mø", "H\u{FFFD}mogénic"])
    // ID3 takes Latin-1 for what is ASCII, and there no byte is wrong.
    #expect(["Bj\u{FFFD}rk", "Bjórk"].contains(read.tags.artist), "\(read.tags.artist)")
    #expect(read.tags.track == 2)
    #expect(try read.digest == facts(of: SampleMusic.sound(format)).digest)
  }

  @Test("are replaced in one of several values, and the others stay in their order")
  func severalValues() throws {
    let folder = try TemporaryFolder()
    let comments = [
      Array("ARTIST=First".utf8), Array("ARTIST=Sec".utf8) + [0xF6] + Array("nd".utf8),
      Array("artist=Third".utf8), Array("ALBUM=".utf8) + [0xC3, 0x28, 0xE2, 0x82, 0x41, 0xFF],
    ]
    let path = try folder.write(FLACWithComments(raw: comments).bytes, to: "a.flac")
    let tags = try facts(of: path).tags
    #expect(tags.artist == "First; Sec\u{FFFD}nd; Third")
    #expect(tags.album == "\u{FFFD}(\u{FFFD}A\u{FFFD}")
  }

  @Test("are replaced in frames of ID3v2 that hold several texts")
  func severalTexts() throws {
    let folder = try TemporaryFolder()
    var tag = ID3Bytes(version: 4)
    tag.add("TPE1", .utf8, Array("One".utf8) + [0] + [0xF6] + Array("wo".utf8))
    tag.add("TXXX", .utf8, Array("MusicBrainz Album Id".utf8) + [0] + [0x61, 0xFF, 0x62])
    let path = try folder.write(tag.bytes + readFile(SampleMusic.sound(.mp3)), to: "a.mp3")
    let tags = try facts(of: path).tags
    #expect(tags.artist == "One; \u{FFFD}wo")
    #expect(tags.release == "a\u{FFFD}b")
  }

  @Test("cost none of the rest where a comment is longer than any may be")
  func longValue() throws {
    let folder = try TemporaryFolder()
    let long = [0xFF] + [UInt8](repeating: 0x61, count: 300_000)
    let comments = [Array("TITLE=".utf8) + long, Array("ALBUM=Album".utf8)]
    let path = try folder.write(FLACWithComments(raw: comments).bytes, to: "a.flac")
    let tags = try facts(of: path).tags
    #expect(tags.title.hasPrefix("\u{FFFD}aaa"))
    #expect((65_000...65_536).contains(tags.title.utf8.count))
    #expect(tags.album == "Album")
  }
}
