import LibraryModel
import TagReading
import TestSupport
import Testing

/// ID3v2 tags that others read to their end and TagLib does not, and those where it looks for none.
@Suite("Edges of ID3v2", .limited) struct ID3EdgeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func tags(_ tag: [UInt8], before sound: [UInt8], named name: String) throws -> SongTags {
    try facts(of: folder.write(tag + sound, to: name)).tags
  }

  private func tags(_ tag: ID3Bytes) throws -> SongTags {
    let sound = try readFile(SampleMusic.sound(.mp3))
    return try tags(tag.bytes, before: sound, named: "song.mp3")
  }

  @Test("A frame of no bytes costs nothing behind it, cover included", arguments: [UInt8(2), 3, 4])
  func emptyFrame(_ version: UInt8) throws {
    var tag = ID3Bytes(version: version)
    let names = version == 2 ? ["MCI", "TT2", "TAL", "PIC"] : ["MCDI", "TIT2", "TALB", "APIC"]
    tag.add(names[0], [])
    tag.add(names[1], "Title")
    tag.add(names[0], [])
    tag.add(names[2], "Album")
    let kind: [UInt8] = version == 2 ? Array("PNG".utf8) : Array("image/png".utf8) + [0]
    tag.add(names[3], [0] + kind + [3, 0] + Array("a cover".utf8))
    let found = try tags(tag)
    #expect([found.title, found.album] == ["Title", "Album"])
    #expect(try pictures(in: [folder.path("song.mp3")]) == [Array("a cover".utf8)])
  }

  @Test("UTF-16 without a mark of the byte order is read, whichever it is")
  func noMark() throws {
    let little: [UInt8] = [0x41, 0, 0xE4, 0, 0x3D, 0xD8, 0x0D, 0xDC]
    let big: [UInt8] = [0, 0x41, 0, 0xE4, 0xD8, 0x3D, 0xDC, 0x0D]
    for bytes in [little, big] {
      for version: UInt8 in [3, 4] {
        var tag = ID3Bytes(version: version)
        tag.add("TIT2", .utf16, bytes)
        tag.add("TALB", .utf16, bytes + [0, 0])
        let found = try tags(tag)
        #expect([found.title, found.album] == ["Aä🐍", "Aä🐍"], "\(version) \(bytes)")
      }
    }
    var tag = ID3Bytes(version: 3)
    // Said to be Latin-1, with the mark that no Latin-1 begins with.
    tag.add("TIT2", .latin1, [0xFF, 0xFE] + little)
    #expect(try tags(tag).title == "Aä🐍")
  }

  @Test("An extended header of version 2.3 or 2.4 costs nothing")
  func extendedHeader() throws {
    for (version, extended) in [
      (UInt8(3), [0, 0, 0, 6] + [UInt8](repeating: 0, count: 6)), (4, [0, 0, 0, 6, 1, 0]),
    ] {
      var tag = ID3Bytes(version: version)
      tag.flags = 0x40
      tag.extendedHeader = extended
      tag.add("TIT2", "Title")
      tag.add("TALB", "Album")
      let found = try tags(tag)
      #expect([found.title, found.album] == ["Title", "Album"], "version \(version)")
    }
    // The flag without the header, as some taggers leave it.
    var tag = ID3Bytes(version: 3)
    tag.flags = 0x40
    tag.add("TIT2", "Title")
    #expect(try tags(tag).title == "Title")
  }

  @Test("A tag is found before Monkey's Audio, WavPack and every kind of Ogg")
  func otherFormats() throws {
    var tag = ID3Bytes(version: 4)
    tag.add("TIT2", "Title")
    tag.add("TPE1", "Artist")
    var sounds = [("ape", HandMadeSound.monkeys.bytes)]
    for format in [SampleFormat.wv, .ogg, .opus, .spx, .oga] {
      sounds.append((format.pathExtension, try readFile(SampleMusic.sound(format))))
    }
    for (name, sound) in sounds {
      let plain = try facts(of: folder.write(sound, to: "plain.\(name)"))
      let path = try folder.write(tag.bytes + sound, to: "song.\(name)")
      let found = try facts(of: path)
      #expect([found.tags.title, found.tags.artist] == ["Title", "Artist"], "\(name)")
      #expect(found.digest == plain.digest, "\(name)")
      #expect(found.audio.milliseconds == plain.audio.milliseconds, "\(name)")
    }
  }

  @Test("A file's own tags go before the one in front, which goes before a short one at the end")
  func order() throws {
    var tag = ID3Bytes(version: 4)
    tag.add("TIT2", "From 2")
    tag.add("TPE1", "From 2")
    tag.add("TALB", "From 2")
    let path = folder.path("song.wv")
    try SampleMusic.write(.wv, tags: ["title": "From APE"], to: path)
    let end = id3v1(
      title: "From 1", artist: "From 1", album: "From 1", year: "1998", track: 7, genre: 8)
    let found = try tags(tag.bytes, before: readFile(path) + end, named: "both.wv")
    #expect([found.title, found.artist, found.album] == ["From APE", "From 2", "From 2"])
    #expect(found.date == "1998")
  }

  @Test("A tag behind the sound of a WAV whose sizes tell nothing is found")
  func wave() throws {
    var tag = ID3Bytes(version: 4)
    tag.add("TIT2", "Title")
    let body = tag.bytes + (tag.bytes.count % 2 == 0 ? [] : [0])
    var wave = LongWave(kind: .rf64, seconds: 2)
    wave.behind = Array("id3 ".utf8) + little(body.count, 4) + body
    let found = try facts(of: folder.write(wave.bytes, to: "a.wav"))
    #expect(found.tags.title == "Title")
    // TagLib 2 takes what follows for sound.
    #expect((2_000...2_010).contains(found.audio.milliseconds))
  }
}
