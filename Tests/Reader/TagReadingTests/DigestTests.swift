import DemoMusic
import LibraryModel
import TagReading
import TestSupport
import Testing

@Suite("Digests of sound", .limited) struct DigestTests {
  /// What people do to tags, by ffmpeg, which writes each file anew.
  private static let retaggings: [[String: String]] = [
    ["title": "Another"],
    ["title": "T", "artist": "A", "album": "B", "track": "1/2", "comment": "c"],
    // A comment as large as a cover; in Ogg it is cut into pages, in MP4 it moves the sound.
    ["title": "T", "comment": String(repeating: "long ", count: 60_000)],
    [:],
  ]

  @Test(
    "survive tags that are added, changed, grown and removed", arguments: SampleFormat.allCases)
  func retagged(_ format: SampleFormat) throws {
    let folder = try TemporaryFolder()
    let sound = try SampleMusic.sound(format)
    let digest = try #require(try facts(of: sound).digest)
    var last = sound
    for (step, tags) in Self.retaggings.enumerated() {
      // A single argument of a program takes 128 KiB, and an attribute of WMA 64 KiB in UTF-16.
      let longest = format == .wma ? 30_000 : 120_000
      let tags = tags.mapValues { String($0.prefix(longest)) }
      let path = folder.path("step \(step).\(format.pathExtension)")
      try SampleMusic.retag(last, format, tags: tags, to: path)
      #expect(try facts(of: path).digest == digest, "step \(step)")
      last = path
    }
  }

  @Test(
    "survive covers that come and go", arguments: [SampleFormat.mp3, .flac, .aac, .alac, .aiff])
  func covers(_ format: SampleFormat) throws {
    let folder = try TemporaryFolder()
    let sound = try SampleMusic.sound(format)
    let cover = folder.path("cover.png")
    #expect(
      try run(
        "ffmpeg",
        ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=400x400", "-frames:v", "1", cover]
      ).status == 0)
    let path = folder.path("song.\(format.pathExtension)")
    let result = try run(
      "ffmpeg",
      [
        "-nostdin", "-v", "error", "-i", sound, "-i", cover, "-map", "0:a", "-map", "1:v", "-c",
        "copy", "-disposition:v", "attached_pic", "-write_id3v2", "1", path,
      ])
    try #require(result.status == 0, "\(result.errors)")
    #expect(try facts(of: path).digest == facts(of: sound).digest)
  }

  @Test("tell different sounds apart, and all formats of one sound", arguments: [UInt64(1), 2])
  func differ(_ seed: UInt64) throws {
    let digests = try SampleFormat.allCases.map { format in
      try #require(try facts(of: SampleMusic.sound(format, seed: seed)).digest)
    }
    let others = try SampleFormat.allCases.map { format in
      try #require(try facts(of: SampleMusic.sound(format, seed: 3)).digest)
    }
    #expect(Set(digests + others).count == 2 * SampleFormat.allCases.count)
  }

  @Test("are the same today as they were, since libraries keep them")
  func stable() throws {
    let folder = try TemporaryFolder()
    let digests = try DemoSong.Format.allCases.map { format in
      let song = DemoSong(
        title: "T", artist: "A", album: "B", track: 1, format: format, seconds: 3, seed: 7)
      let digest = try facts(of: folder.write(song.encoded(), to: "a.\(format)")).digest
      return digest.map { "\(String($0.high, radix: 16)) \(String($0.low, radix: 16))" } ?? ""
    }
    #expect(
      digests == [
        "c258e0c1d179c86a 38f9a10d198acdf8", "1740191bea849912 1c9729679ee50f3e",
        "8dea88c45879e2f8 eb897dee31889560",
      ])
  }

  @Test("see past ID3, APE and Lyrics3 tags at both ends of an MP3")
  func outerTags() throws {
    let folder = try TemporaryFolder()
    let sound = try readFile(SampleMusic.sound(.mp3))
    let digest = try #require(try facts(of: SampleMusic.sound(.mp3)).digest)
    let id3v2 = Array("ID3".utf8) + [4, 0, 0, 0, 0, 2, 0] + [UInt8](repeating: 0, count: 256)
    let id3v1 = Array("TAG".utf8) + [UInt8](repeating: 32, count: 125)
    let lyrics =
      Array("LYRICSBEGIN".utf8) + Array("IND00002100".utf8)
      + Array("000022LYRICS200".utf8)
    let variants = [
      id3v2 + sound, id3v2 + id3v2 + sound, sound + id3v1, sound + Self.apeTag() + id3v1,
      id3v2 + sound + Self.apeTag(), sound + lyrics + id3v1,
      id3v2 + [UInt8](repeating: 0, count: 5000) + sound,
    ]
    for (index, bytes) in variants.enumerated() {
      let path = try folder.write(bytes, to: "\(index).mp3")
      #expect(try facts(of: path).digest == digest, "variant \(index)")
    }
  }

  @Test("see past an APE tag of any length", arguments: [SampleFormat.mp3, .wv])
  func lengths(_ format: SampleFormat) throws {
    let folder = try TemporaryFolder()
    let sound = try readFile(SampleMusic.sound(format))
    let digest = try #require(try facts(of: SampleMusic.sound(format)).digest)
    // The "TAG" of "APETAGEX" is where an ID3v1 tag would begin, in a tag of 131 bytes.
    for length in 48...58 {
      let tag = Self.apeTag(String(repeating: "x", count: length))
      let path = try folder.write(sound + tag, to: "\(tag.count).\(format.pathExtension)")
      #expect(try facts(of: path).digest == digest, "\(tag.count)")
    }
  }

  private static func apeTag(_ title: String = "x") -> [UInt8] {
    let item: [UInt8] =
      [UInt8(title.utf8.count), 0, 0, 0, 0, 0, 0, 0] + Array("Title".utf8) + [0]
      + Array(title.utf8)
    func end(_ flags: UInt8) -> [UInt8] {
      Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, UInt8(item.count + 32), 0, 0, 0, 1, 0, 0, 0]
        + [0, 0, 0, flags] + [UInt8](repeating: 0, count: 8)
    }
    return end(0xA0) + item + end(0x80)
  }

  @Test("change when any sampled part of the sound changes", arguments: [0.01, 0.5, 0.99])
  func changedSound(_ place: Double) throws {
    let folder = try TemporaryFolder()
    let song = DemoSong(
      title: "T", artist: "A", album: "B", track: 1, format: .wav, seconds: 20, seed: 7)
    var bytes = song.encoded()
    let before = try facts(of: folder.write(bytes, to: "a.wav")).digest
    bytes[44 + Int(place * 320_000)] ^= 1
    let after = try facts(of: folder.write(bytes, to: "b.wav")).digest
    #expect(before != nil)
    #expect(before != after)
  }

  @Test("are left out for silence and for next to nothing")
  func tooLittle() throws {
    let folder = try TemporaryFolder()
    let silence = "anullsrc=r=44100:cl=stereo"
    for (name, seconds) in [("silence.wav", "2"), ("silence.flac", "60"), ("short.wav", "0.02")] {
      let source = name.hasPrefix("short") ? "anoisesrc" : silence
      let path = folder.path(name)
      try #require(
        try run(
          "ffmpeg", ["-nostdin", "-v", "error", "-f", "lavfi", "-i", source, "-t", seconds, path]
        ).status == 0)
      #expect(try facts(of: path).digest == nil, "\(name)")
    }
  }

  @Test("of FLAC without an MD5 are those of its frames")
  func noMD5() throws {
    let folder = try TemporaryFolder()
    var bytes = try readFile(SampleMusic.sound(.flac))
    for index in 26..<42 { bytes[index] = 0 }
    let path = try folder.write(bytes, to: "a.flac")
    let digest = try #require(try facts(of: path).digest)
    let retagged = folder.path("b.flac")
    try SampleMusic.retag(path, .flac, tags: ["title": "x"], to: retagged)
    var second = try readFile(retagged)
    for index in 26..<42 { second[index] = 0 }
    #expect(try facts(of: folder.write(second, to: "c.flac")).digest == digest)
    #expect(try facts(of: SampleMusic.sound(.flac)).digest != digest)
  }
}
