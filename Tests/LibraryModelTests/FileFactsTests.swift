import TestSupport
import Testing

@testable import LibraryModel

@Suite("What a reading found, packed")
struct FileFactsTests {
  private static let numbers: [Int64] = [
    0, 1, -1, 127, 128, -64, -65, .max, .min, .max / 2 + 1, .min / 2 - 1, 1_700_000_000_123_456_789,
  ]

  @Test(
    "comes back as it was put in, however large the numbers and strange the texts",
    arguments: 0..<200)
  func roundTrip(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func number() -> Int64 { Self.numbers.randomElement(using: &generator) ?? 0 }
    func text() -> String {
      let texts = ["", "a", "Ä\u{308}\n\0", "日本語", String(repeating: "x", count: 20_000)]
      return texts.randomElement(using: &generator) ?? ""
    }
    func perhaps() -> Int? { Bool.random(using: &generator) ? Int(number()) : nil }
    var tags = SongTags()
    (tags.title, tags.artist, tags.album, tags.albumArtist) = (text(), text(), text(), text())
    (tags.composer, tags.genre, tags.date, tags.originalDate) = (text(), text(), text(), text())
    (tags.titleSort, tags.artistSort, tags.albumSort) = (text(), text(), text())
    (tags.albumArtistSort, tags.recording, tags.release) = (text(), text(), text())
    (tags.releaseArtist, tags.isCompilation) = (text(), Bool.random(using: &generator))
    (tags.disc, tags.discTotal) = (perhaps(), perhaps())
    (tags.track, tags.trackTotal) = (perhaps(), perhaps())
    var audio = AudioProperties()
    (audio.milliseconds, audio.bitRate) = (Int(number()), Int(number()))
    (audio.sampleRate, audio.channels, audio.codec) = (Int(number()), Int(number()), text())
    let identity = FileIdentity(
      fileSystem: UInt64(bitPattern: number()), inode: UInt64(bitPattern: number()),
      birth: number())
    let stamp = FileStamp(
      identity: identity, size: number(), modified: number(), changed: number())
    let digest = Bool.random(using: &generator) ? AudioDigest(high: generator.next(), low: 1) : nil
    let facts = FileFacts(stamp: stamp, tags: tags, audio: audio, digest: digest, format: text())

    let packed = facts.packed
    let again = try #require(packed.withUnsafeBytes(FileFacts.init(packed:)))
    #expect(again == facts)
    for facts in [facts, again] {
      #expect(facts.tags == tags && facts.audio == audio && facts.stamp == stamp)
      #expect(facts.digest == digest && facts.disc == tags.disc && facts.track == tags.track)
      #expect(facts.milliseconds == audio.milliseconds && facts.title == tags.title)
      #expect(facts.artist == tags.artist && facts.album == tags.album)
      #expect(facts.albumArtist == tags.albumArtist && facts.artistSort == tags.artistSort)
      #expect(facts.albumArtistSort == tags.albumArtistSort && facts.release == tags.release)
      #expect(facts.recording == tags.recording)
    }
    // Cut off or changed anywhere, it is nothing.
    let place = Int.random(in: 0..<packed.count, using: &generator)
    #expect(packed[..<place].withUnsafeBytes(FileFacts.init(packed:)) == nil)
    var damaged = packed
    damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    #expect(damaged.withUnsafeBytes(FileFacts.init(packed:)) == nil)
  }
}
