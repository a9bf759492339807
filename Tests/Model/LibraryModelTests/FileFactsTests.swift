import TestSupport
import Testing

@testable import LibraryModel

@Suite("What a reading found, packed", .limited)
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
      let texts = [
        "", "a", "Ä\u{308}\n\0", "日本語", String(repeating: "x", count: 20_000),
        "0aF9c8e7-1122-4a5b-8c9d-00ff10a0b0c0", "0af9c8e7-1122-4a5b-8c9d-00ff10a0b0c0",
      ]
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
    let cover = Bool.random(using: &generator) ? CoverDigest(number: generator.next()) : nil
    let facts = FileFacts(
      stamp: stamp, tags: tags, audio: audio, digest: digest, format: text(), cover: cover)

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
      #expect(facts.recording == tags.recording && facts.cover == cover)
      let details = facts.details
      #expect(details.genre == tags.genre && details.release == tags.release)
      #expect(details.sampleRate == audio.sampleRate && details.bitRate == audio.bitRate)
      #expect(details.composer == tags.composer && details.recording == tags.recording)
    }
    // Cut off or changed anywhere, it is nothing.
    let place = Int.random(in: 0..<packed.count, using: &generator)
    #expect(packed[..<place].withUnsafeBytes(FileFacts.init(packed:)) == nil)
    var damaged = packed
    damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    #expect(damaged.withUnsafeBytes(FileFacts.init(packed:)) == nil)
  }

  private func facts(_ tags: SongTags) -> FileFacts {
    let stamp = FileStamp(
      identity: FileIdentity(fileSystem: 1, inode: 2, birth: 3), size: 4, modified: 5, changed: 6)
    return FileFacts(
      stamp: stamp, tags: tags, audio: AudioProperties(), digest: nil, format: "flac")
  }

  @Test("Artists, guests and ids come back byte for byte")
  func artists() throws {
    let names = [
      "", "Bj\u{F6}rk", "Bjo\u{308}rk", "Bj\u{F6}rk feat. Thom", "Bjo\u{308}rk feat. Thom",
      " feat. Thom",
      "A ft. B feat. C", "A\u{308}", "A", "a7b3c1d2-0000-4fff-8abc-0123456789ab",
      "A7b3c1d2-0000-4fff-8abc-0123456789ab", "a7b3c1d2-0000-4fff-8abc_0123456789ab",
      "a7b3c1d2-0000-4fff-8abc-0123456789a", "a7b3c1d2-0000-4fff-8abc-0123456789abc",
    ]
    for artist in names {
      for albumArtist in names {
        for (sort, albumSort) in [("", ""), ("x", ""), ("", "x"), (artist, albumArtist)] {
          var tags = SongTags()
          (tags.artist, tags.albumArtist) = (artist, albumArtist)
          (tags.artistSort, tags.albumArtistSort) = (sort, albumSort)
          let facts = facts(tags)
          let packed = facts.packed
          let again = try #require(packed.withUnsafeBytes(FileFacts.init(packed:)))
          for facts in [facts, again] {
            let found = [
              facts.artist, facts.albumArtist, facts.artistSort, facts.albumArtistSort,
              facts.tags.artist, facts.tags.albumArtist, facts.tags.artistSort,
              facts.tags.albumArtistSort,
            ]
            let expected = [artist, albumArtist, sort, albumSort]
            #expect(found.map { Array($0.utf8) } == (expected + expected).map { Array($0.utf8) })
          }
        }
      }
    }
  }

  @Test("Songs with guests have the rest in common with their album")
  func guests() {
    /// What follows a file's own part.
    func shared(_ artist: String, of albumArtist: String) -> ArraySlice<UInt8> {
      var tags = SongTags()
      (tags.artist, tags.albumArtist, tags.album) = (artist, albumArtist, "Album")
      let packed = facts(tags).packed
      return packed[(12 + Int(packed[8]))...]
    }
    for albumArtist in ["", "Band"] {
      let usual = shared("Band", of: albumArtist)
      #expect(shared("Band feat. Guest", of: albumArtist) == usual)
      #expect(shared("Band featuring Guest", of: albumArtist) == usual)
      #expect((shared("Another", of: albumArtist) == usual) == !albumArtist.isEmpty)
    }
  }

  @Test("The id of a recording takes half of its letters")
  func identifiers() {
    var tags = SongTags()
    let without = facts(tags).packed.count
    tags.recording = "0af9c8e7-1122-4a5b-8c9d-00ff10a0b0c0"
    #expect(facts(tags).packed.count == without + 17)
  }

  /// A new layout needs another number: what an index has is not read by it.
  @Test("The bytes are the same ones in every version that has this layout")
  func layout() {
    var tags = SongTags()
    (tags.title, tags.artist, tags.albumArtist, tags.album) = ("T", "B feat. C", "B", "A")
    (tags.artistSort, tags.disc, tags.track, tags.trackTotal) = ("S", 1, 2, 3)
    (tags.isCompilation, tags.date, tags.genre) = (true, "1959", "G")
    var audio = AudioProperties()
    (audio.milliseconds, audio.bitRate, audio.channels) = (60_000, 320, 2)
    let stamp = FileStamp(
      identity: FileIdentity(fileSystem: 1, inode: 2, birth: 3), size: 4, modified: 5, changed: 6)
    let facts = FileFacts(
      stamp: stamp, tags: tags, audio: audio, digest: AudioDigest(high: 7, low: 8),
      format: "flac", cover: CoverDigest(number: 9))
    #expect(facts.packed.prefix(12) == [134, 119, 30, 247, 125, 116, 225, 67, 54, 0, 0, 0])
  }
}
