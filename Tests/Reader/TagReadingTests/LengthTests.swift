import LibraryModel
import TagReading
import TestSupport
import Testing

@Suite("Lengths of songs", .limited) struct LengthTests {
  @Test("are found where a WAV's size tells nothing", arguments: LongWave.Kind.allCases)
  func longWave(_ kind: LongWave.Kind) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(LongWave(kind: kind, seconds: 3).bytes, to: "a.wav")
    let audio = try facts(of: path).audio
    #expect(audio.milliseconds == 3_000)
    #expect([audio.sampleRate, audio.channels] == [8_000, 1])
    #expect((126...130).contains(audio.bitRate))
  }

  @Test("are found in Ogg FLAC that doesn't count its samples, tag in front or not")
  func oggFLAC() throws {
    let folder = try TemporaryFolder()
    let bytes = try readFile(SampleMusic.sound(.oga))
    // ffmpeg doesn't know the number when it writes the head.
    try #require(bytes[59..<63].allSatisfy { $0 == 0 } && bytes[58] & 0x0F == 0)
    var tag = ID3Bytes(version: 4)
    tag.add("TIT2", "Title")
    for front in [[], tag.bytes] {
      let audio = try facts(of: folder.write(front + bytes, to: "a.oga")).audio
      #expect((1_450...1_550).contains(audio.milliseconds), "\(audio.milliseconds)")
      #expect(audio.sampleRate == 44_100)
    }
  }

  @Test(
    "are found in MP4 that was written in fragments, as downloads are",
    arguments: [
      ["-movflags", "frag_keyframe+empty_moov"],
      ["-movflags", "frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "500000"],
      ["-movflags", "dash+frag_every_frame"], ["-movflags", "cmaf", "-frag_duration", "300000"],
    ])
  func fragments(options: [String]) throws {
    let folder = try TemporaryFolder()
    let plain = try SampleMusic.sound(.aac)
    let expected = try facts(of: plain).audio.milliseconds
    let path = folder.path("a.m4a")
    let made = try run(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-i", plain, "-c", "copy"] + options + ["-f", "mp4", path])
    try #require(made.status == 0, "\(made.errors)")
    let bytes = try readFile(path)
    let audio = try facts(of: path).audio
    // What the encoder put in front counts, as ffprobe counts it.
    #expect((expected...expected + 60).contains(audio.milliseconds), "\(audio.milliseconds)")
    #expect(audio.sampleRate == 44_100 && audio.bitRate > 0)
    // Cut off anywhere, and whatever its fragments say, it costs no reader its life.
    var dice = SeededGenerator(seed: 8)
    let paths = try (0..<60).map { number in
      var odd = Array(bytes.prefix(Int.random(in: 40...bytes.count, using: &dice)))
      for _ in 0..<3 {
        odd[Int.random(in: 32..<odd.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
      }
      return try folder.write(odd, to: "\(number).m4a")
    }
    let pool = try ReaderPool(program: builtReader, count: 1)
    defer { pool.shutDown() }
    for (path, outcome) in zip(paths, pool.read(paths)) {
      #expect(outcome?.facts != nil || outcome?.problem?.kind != .crashedReader, "\(path)")
    }
  }

  @Test("count as unknown where the file is too short for them")
  func impossible() throws {
    let folder = try TemporaryFolder()
    // 27 hours in 17 bytes of Musepack, and in a FLAC of next to nothing.
    let musepack = Array("MP+".utf8) + [7] + little(3_728_027, 4) + little(0, 4)
    var paths = [try folder.write(musepack + [0, 0, 0, 0, 0], to: "a.mpc")]
    let info = Array("fLaC".utf8) + [0x80, 0, 0, 34, 16, 0, 16, 0, 0, 0, 0, 0, 0, 0]
    let rate: [UInt8] = [0x0A, 0xC4, 0x42, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    let flac = info + rate + [UInt8](repeating: 7, count: 16)
    paths.append(try folder.write(flac + [0xFF, 0xF8] + noise(200), to: "b.flac"))
    for path in paths {
      #expect(try facts(of: path).audio.milliseconds == 0, "\(path)")
    }
    // A quiet hour at 300 bits a second may be one.
    let seconds = 3_600
    let samples = 44_100 * seconds
    let quiet = Array(info.prefix(18)) + [0x0A, 0xC4, 0x42, 0xF0] + big(samples, 4)
    let path = try folder.write(
      quiet + [UInt8](repeating: 7, count: 16) + noise(seconds * 300 / 8), to: "c.flac")
    #expect(try facts(of: path).audio.milliseconds == seconds * 1_000)
  }
}
