import LibraryModel
import TagReading
import TestSupport
import Testing

@Suite("Tags", .limited) struct TagTests {
  static let tags = [
    "title": "Käärme — 蛇", "artist": "Mirja Halonen", "album": "Kesäyö",
    "album_artist": "Various Artists", "track": "3/12", "disc": "2/2", "date": "2011-06-24",
    "genre": "Folk", "composer": "O. Brandt",
  ]

  @Test("every format gives its tags and what it sounds like", arguments: SampleFormat.allCases)
  func everyFormat(_ format: SampleFormat) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("song.\(format.pathExtension)")
    try SampleMusic.write(format, tags: Self.tags, to: path)
    let facts = try facts(of: path)
    #expect(facts.format == (format == .aac || format == .alac ? "m4a" : format.rawValue))
    #expect(facts.tags.title == "Käärme — 蛇")
    #expect(facts.tags.artist == "Mirja Halonen")
    #expect(facts.tags.album == "Kesäyö")
    #expect(facts.tags.genre == "Folk")
    // An INFO chunk has no place for the others.
    if format != .wav {
      #expect(facts.tags.albumArtist == "Various Artists")
      #expect(facts.tags.track == 3)
      #expect(facts.tags.trackTotal == 12)
      #expect(facts.tags.disc == 2)
      #expect(facts.tags.discTotal == 2)
      #expect(facts.tags.date == (format == .wma ? "" : "2011-06-24"))
      #expect(facts.tags.composer == "O. Brandt")
    }
    // ffmpeg's Ogg FLAC doesn't say how long it is.
    if format != .oga {
      #expect((1300...1800).contains(facts.audio.milliseconds))
      #expect(facts.audio.bitRate > 10)
    }
    #expect(facts.audio.channels == 2)
    #expect([44_100, 48_000, 32_000].contains(facts.audio.sampleRate))
    #expect(!facts.audio.codec.isEmpty)
    #expect(facts.digest != nil)
    #expect(facts.stamp == stamp(0))
  }

  @Test("codecs are told apart where the container isn't enough")
  func codecs() throws {
    let names = try [SampleFormat.aac, .alac, .oga, .mp3].map { format in
      try facts(of: SampleMusic.sound(format)).audio.codec
    }
    #expect(names == ["AAC", "ALAC", "FLAC", "MP3"])
  }

  @Test("several values, MusicBrainz ids and sort names arrive")
  func furtherFields() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("song.flac")
    try SampleMusic.write(
      .flac,
      tags: [
        "ARTISTSORT": "Halonen, Mirja", "ALBUMSORT": "a", "TITLESORT": "t",
        "ALBUMARTISTSORT": "aa", "MUSICBRAINZ_TRACKID": "rec", "MUSICBRAINZ_ALBUMID": "rel",
        "MUSICBRAINZ_ALBUMARTISTID": "art", "COMPILATION": "1", "ORIGINALDATE": "1999",
        "TRACKNUMBER": "A1", "TRACKTOTAL": "9", "DISCNUMBER": "03",
      ], to: path)
    let tags = try facts(of: path).tags
    #expect(tags.artistSort == "Halonen, Mirja")
    #expect(tags.albumSort == "a")
    #expect(tags.titleSort == "t")
    #expect(tags.albumArtistSort == "aa")
    #expect(tags.recording == "rec")
    #expect(tags.release == "rel")
    #expect(tags.releaseArtist == "art")
    #expect(tags.isCompilation)
    #expect(tags.originalDate == "1999")
    #expect(tags.track == 1)
    #expect(tags.trackTotal == 9)
    // Side A of the third record.
    #expect(tags.disc == 5)
  }

  @Test("several artists are joined")
  func severalArtists() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      FLACWithComments(["ARTIST=One", "ARTIST=Two", "TITLE=first", "TITLE=second"]).bytes,
      to: "song.flac")
    let tags = try facts(of: path).tags
    #expect(tags.artist == "One; Two")
    #expect(tags.title == "first")
  }

  @Test("a value of more than 64 KiB is cut, never in the middle of a character")
  func longValue() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      FLACWithComments(["TITLE=x" + String(repeating: "ä", count: 100_000)]).bytes,
      to: "song.flac")
    let title = try facts(of: path).tags.title
    #expect(title.utf8.count == 65_535)
    #expect(title.last == "ä")
  }

  @Test("control characters in tags never arrive")
  func controls() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      FLACWithComments(["TITLE=a\u{1B}[31m\u{07}b\nc\u{9B}d"]).bytes, to: "song.flac")
    #expect(try facts(of: path).tags.title == "a[31mb cd")
  }

  @Test("what a file holds counts, not what it is called")
  func mislabelled() throws {
    let folder = try TemporaryFolder()
    let flac = try folder.write(readFile(SampleMusic.sound(.flac)), to: "a.mp3")
    let mp3 = try folder.write(readFile(SampleMusic.sound(.mp3)), to: "b.flac")
    let ogg = try folder.write(readFile(SampleMusic.sound(.ogg)), to: "c.m4a")
    #expect(try [flac, mp3, ogg].map { try facts(of: $0).format } == ["flac", "mp3", "ogg"])
  }
}

/// The start of a FLAC file that holds such comments, and a little of what could be frames.
struct FLACWithComments {
  var bytes: [UInt8]

  init(_ comments: [String]) {
    self.init(raw: comments.map { Array($0.utf8) })
  }

  /// With comments that needn't be text.
  init(raw comments: [[UInt8]]) {
    var block: [UInt8] = [0, 0, 0, 0] + Self.little(comments.count)
    for comment in comments { block += Self.little(comment.count) + comment }
    let length = [UInt8(block.count >> 16 & 0xFF), UInt8(block.count >> 8 & 0xFF)]
    let rate: [UInt8] = [0x0A, 0xC4, 0x42, 0xF0, 0, 0, 0x10, 0]
    bytes = Array("fLaC".utf8) + [0, 0, 0, 34, 16, 0, 16, 0, 0, 0, 0, 0, 0, 0] + rate
    bytes += [UInt8](repeating: 7, count: 16)
    bytes += [0x84] + length + [UInt8(block.count & 0xFF)] + block
    bytes += [0xFF, 0xF8] + [UInt8](repeating: 5, count: 5000)
  }

  private static func little(_ number: Int) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
