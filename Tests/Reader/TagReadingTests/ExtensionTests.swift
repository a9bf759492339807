import LibraryModel
import TagReading
import TestSupport
import Testing

@Suite("What songs' names end in", .limited) struct ExtensionTests {
  @Test("All that the linked TagLib reads is looked at")
  func all() throws {
    let known = try readableExtensions()
    #expect(known.count > 25)
    for name in known where !["mkv", "webm"].contains(name) {
      #expect(AudioExtensions.all.contains(name), "\(name)")
    }
  }

  @Test("A name is one of those in any case, and only behind something")
  func names() {
    func isAudio(_ name: String) -> Bool {
      Array(name.utf8).withUnsafeBufferPointer { AudioExtensions.areOf($0) }
    }
    for name in ["a.mp3", "a.MP2", "a.b.Module", "a.mp+", "a.dsdiff", "\u{E4}.mka"] {
      #expect(isAudio(name), "\(name)")
    }
    for name in [
      "mp3", ".mp3", "a.", "a.m", "a.mp33", "a.modules", "a.jpg", "a.mkv", "a.webm", "", "a.mp3 ",
    ] {
      #expect(!isAudio(name), "\(name)")
    }
  }

  @Test("MPEG's other layers, raw AAC and tracker modules are songs")
  func others() throws {
    let folder = try TemporaryFolder()
    let input = ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=2"]
    for (name, codec) in [("mp2", "mp2"), ("aac", "aac")] {
      let path = folder.path("a.\(name)")
      let result = try run("ffmpeg", input + ["-c:a", codec, path])
      try #require(result.status == 0, "\(result.errors)")
      let found = try facts(of: path)
      #expect(found.format == name)
      #expect(found.digest != nil)
    }
    // A title, thirty-one samples without a sound, one pattern, and the letters that name it.
    var module = Array("A module".utf8) + [UInt8](repeating: 0, count: 12 + 31 * 30)
    module += [1, 127] + [UInt8](repeating: 0, count: 128) + Array("M.K.".utf8)
    module += [UInt8](repeating: 0, count: 1_024)
    let found = try facts(of: folder.write(module, to: "a.mod"))
    #expect([found.tags.title, found.format] == ["A module", "mod"])
    #expect(found.digest == nil)
    // Nor is whatever else is called so.
    let text = Array(String(repeating: "module example.org/go\n", count: 200).utf8)
    let message = try problem(of: folder.write(text, to: "go.mod")).message
    #expect(message.hasPrefix("TagLib found no audio in this file"))
  }

  @Test("Formats of later versions of TagLib are read where the linked one has them")
  func later() throws {
    let folder = try TemporaryFolder()
    let known = try readableExtensions()
    let input = ["-nostdin", "-v", "error", "-i", try SampleMusic.sound(.opus)]
    for name in ["mka", "webm"] {
      let path = folder.path("a.\(name)")
      let tags = ["-metadata", "title=Title", "-metadata", "artist=Artist"]
      let result = try run("ffmpeg", input + ["-c", "copy"] + tags + [path])
      try #require(result.status == 0, "\(result.errors)")
      guard known.contains(name) else {
        #expect(try problem(of: path).message.contains("does not read this format"))
        continue
      }
      let found = try facts(of: path)
      #expect([found.tags.title, found.tags.artist] == ["Title", "Artist"])
      #expect([found.format, found.audio.codec] == [name, "Opus"])
      #expect((1_400...1_600).contains(found.audio.milliseconds))
      // ffmpeg packs blocks once in its own way; from then on only tags change.
      var digests: [AudioDigest?] = []
      var last = path
      for (step, tags) in [[], ["-metadata", "title=Another"], ["-map_metadata", "-1"]].enumerated()
      {
        let next = folder.path("\(step).\(name)")
        let again = try run(
          "ffmpeg", ["-nostdin", "-v", "error", "-i", last, "-c", "copy"] + tags + [next])
        try #require(again.status == 0, "\(again.errors)")
        digests.append(try facts(of: next).digest)
        last = next
      }
      #expect(digests.count == 3 && Set(digests).count == 1 && digests[0] != nil)
    }
    for sound in LaterSound.allCases where known.contains(sound.rawValue) {
      var tag = ID3Bytes(version: 3)
      // Frames of the kinds that TagLib loses: the second reading is for these formats, too.
      tag.add("TPE1", .utf16, [0x41, 0])
      tag.add("MCDI", [])
      tag.add("TIT2", "Title")
      let path = try folder.write(sound.bytes(tag.bytes), to: "a.\(sound.rawValue)")
      let found = try facts(of: path)
      #expect([found.tags.title, found.tags.artist] == ["Title", "A"], "\(sound)")
      #expect([found.format, found.audio.codec] == [sound.rawValue, "DSD"])
      let digest = try #require(found.digest)
      #expect(
        try facts(of: folder.write(sound.bytes([]), to: "b.\(sound.rawValue)")).digest == digest)
    }
  }
}

/// Sound of one bit, with a tag where its format has it.
private enum LaterSound: String, CaseIterable {
  case dsf, dff

  func bytes(_ tag: [UInt8]) -> [UInt8] {
    let rate = 2_822_400
    let sound = noise(8_192)
    switch self {
    case .dsf:
      let format =
        Array("fmt ".utf8) + little(52, 8) + little(1, 4) + little(0, 4) + little(1, 4)
        + little(1, 4) + little(rate, 4) + little(1, 4) + little(sound.count * 8, 8)
        + little(4_096, 4) + little(0, 4)
      let body = format + Array("data".utf8) + little(12 + sound.count, 8) + sound
      let place = tag.isEmpty ? 0 : 28 + body.count
      return Array("DSD ".utf8) + little(28, 8) + little(28 + body.count + tag.count, 8)
        + little(place, 8) + body + tag
    case .dff:
      func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        Array(name.utf8) + big(body.count, 8) + body + (body.count % 2 == 0 ? [] : [0])
      }
      let properties =
        Array("SND ".utf8) + chunk("FS  ", big(rate, 4))
        + chunk("CHNL", big(1, 2) + Array("C   ".utf8))
        + chunk("CMPR", Array("DSD ".utf8) + [14] + Array("not compressed".utf8) + [0])
      let body =
        Array("DSD ".utf8) + chunk("FVER", [1, 5, 0, 0]) + chunk("PROP", properties)
        + chunk("DSD ", sound) + (tag.isEmpty ? [] : chunk("ID3 ", tag))
      return chunk("FRM8", body)
    }
  }
}
