import LibraryModel
import TagReading
import TestSupport
import Testing

@Suite("Every field of every format", .limited) struct EveryFieldTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var format: SampleFormat
    var kind: FullTags.Kind
    var testDescription: String { "\(format) with \(kind)" }
  }

  private static let cases: [Case] =
    [SampleFormat.mp3, .wav, .aiff, .tta].flatMap { format in
      [FullTags.Kind.id3v24, .id3v23].map { Case(format: format, kind: $0) }
    }
    + [SampleFormat.flac, .ogg, .opus, .spx, .oga].map { Case(format: $0, kind: .vorbis) }
    + [SampleFormat.aac, .alac].map { Case(format: $0, kind: .mp4) }
    + [SampleFormat.wv, .mp3, .tta].map { Case(format: $0, kind: .ape) }
    + [Case(format: .wma, kind: .asf)]

  @Test("is read as taggers write it", arguments: cases)
  func everyField(_ one: Case) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("song.\(one.format.pathExtension)")
    try writeFile(readFile(SampleMusic.sound(one.format)), to: path)
    try FullTags.write(one.kind, to: path)
    expectWhole(try facts(of: path), one.kind)
  }

  @Test("is read in AAC without a container")
  func bareAAC() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("song.aac")
    let words = ["-i", try SampleMusic.sound(.aac), "-c", "copy", "-f", "adts", path]
    let result = try run("ffmpeg", ["-nostdin", "-v", "error"] + words)
    try #require(result.status == 0, "\(result.errors)")
    let digest = try facts(of: path).digest
    try FullTags.write(.id3v24, to: path)
    let facts = try facts(of: path)
    expectWhole(facts, .id3v24)
    #expect([facts.format, facts.audio.codec] == ["aac", "AAC"])
    #expect(digest != nil && facts.digest == digest)
  }

  @Test("is read where no encoder is at hand", arguments: HandMadeSound.allCases)
  func handMade(_ sound: HandMadeSound) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(sound.bytes, to: "song.\(sound.pathExtension)")
    try FullTags.write(.ape, to: path)
    let facts = try facts(of: path)
    expectWhole(facts, .ape)
    #expect(facts.format == sound.pathExtension)
    #expect(facts.audio.codec == (sound == .monkeys ? "Monkey's Audio" : "Musepack"))
    #expect((1990...2010).contains(facts.audio.milliseconds), "\(facts.audio)")
    #expect(facts.audio.sampleRate == 44_100)
    #expect(facts.audio.channels == 2)
    #expect(facts.digest != nil)
  }

  private func expectWhole(
    _ facts: FileFacts, _ kind: FullTags.Kind, _ location: SourceLocation = #_sourceLocation
  ) {
    expectSame(facts.tags, FullTags.tags(in: kind), location)
  }
}

/// Says which field differs.
func expectSame(
  _ found: SongTags, _ expected: SongTags, _ location: SourceLocation = #_sourceLocation
) {
  func fields(_ tags: SongTags) -> [(name: String, value: String)] {
    Mirror(reflecting: tags).children.map { ($0.label ?? "", "\($0.value)") }
  }
  for (found, expected) in zip(fields(found), fields(expected)) {
    #expect(found.value == expected.value, "\(found.name)", sourceLocation: location)
  }
}
