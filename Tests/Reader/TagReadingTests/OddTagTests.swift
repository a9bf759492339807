import LibraryModel
import TagReading
import TestSupport
import Testing

/// What taggers of the last thirty years have left in files.
@Suite("Old, doubled and broken tags", .limited) struct OddTagTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// What an MP3 says that has these tags in front of its sound and behind it.
  private func tags(front: [UInt8] = [], back: [UInt8] = []) throws -> SongTags {
    let sound = try readFile(SampleMusic.sound(.mp3))
    // What ffmpeg put in front, if only its name.
    let size = sound[6..<10].reduce(0) { $0 << 7 | Int($1) } + 10
    let bare = sound.starts(with: Array("ID3".utf8)) ? Array(sound[size...]) : sound
    return try facts(of: folder.write(front + bare + back, to: "song.mp3")).tags
  }

  private func tags(of comments: [[UInt8]]) throws -> SongTags {
    try facts(of: folder.write(FLACWithComments(raw: comments).bytes, to: "song.flac")).tags
  }

  @Test("ID3v2.2 has every field")
  func version22() throws {
    var tag = ID3Bytes(version: 2)
    let texts = [
      ("TT2", "Title"), ("TP1", "Artist"), ("TAL", "Album"), ("TP2", "Band"), ("TCM", "Composer"),
      ("TCO", "(17)"), ("TYE", "1991"), ("TOR", "1985"), ("TPA", "1/2"), ("TRK", "3/12"),
      ("TCP", "1"), ("TST", "title"), ("TSP", "artist"), ("TSA", "album"), ("TS2", "band"),
      ("TXX", "MusicBrainz Album Id\0release"), ("TXX", "MusicBrainz Album Artist Id\0band-id"),
    ]
    for (name, text) in texts { tag.add(name, text) }
    tag.add("UFI", Array("http://musicbrainz.org\0recording".utf8))
    var expected = SongTags()
    expected.title = "Title"
    expected.artist = "Artist"
    expected.album = "Album"
    expected.albumArtist = "Band"
    expected.composer = "Composer"
    expected.genre = "Rock"
    expected.date = "1991"
    expected.originalDate = "1985"
    (expected.disc, expected.discTotal) = (1, 2)
    (expected.track, expected.trackTotal) = (3, 12)
    expected.isCompilation = true
    expected.titleSort = "title"
    expected.artistSort = "artist"
    expected.albumSort = "album"
    expected.albumArtistSort = "band"
    expected.recording = "recording"
    expected.release = "release"
    expected.releaseArtist = "band-id"
    expectSame(try tags(front: tag.bytes), expected)
  }

  @Test("several artists are told, each once; all album artists as people write names")
  func severalArtists() throws {
    let comments = [
      "ARTIST=Ann", "ARTIST= Ann ", "ARTIST=Bob", "ARTIST=", "ALBUMARTIST=Ann", "ALBUMARTIST=Bob",
      "ALBUMARTIST=Cleo", "ALBUMARTIST=Ann", "COMPOSER=Ann", "COMPOSER=Ann",
    ]
    let found = try tags(of: comments.map { Array($0.utf8) })
    #expect(found.artist == "Ann; Bob")
    #expect(found.albumArtist == "Ann, Bob & Cleo")
    #expect(found.composer == "Ann")
    // As one tagger wrote them: every frame twice.
    var tag = ID3Bytes(version: 3)
    for (name, text) in [("TPE1", "KWS"), ("TPE2", "Simon & Garfunkel"), ("TALB", "Live On")] {
      tag.add(name, text)
      tag.add(name, text)
    }
    let twice = try tags(front: tag.bytes)
    #expect(twice.artist == "KWS")
    #expect(twice.albumArtist == "Simon & Garfunkel")
    #expect(twice.album == "Live On")
  }

  @Test("ID3v1 alone is read, in Latin-1")
  func version1() throws {
    let back = id3v1(
      title: "Käärme", artist: "Mirja", album: "A name of thirty characters, c", year: "1998",
      track: 7, genre: 8)
    var expected = SongTags()
    expected.title = "Käärme"
    expected.artist = "Mirja"
    expected.album = "A name of thirty characters, c"
    expected.date = "1998"
    expected.track = 7
    expected.genre = "Jazz"
    expectSame(try tags(back: back), expected)
  }

  @Test("Of several kinds of tags the first that has a field is believed")
  func severalKinds() throws {
    let back = id3v1(
      title: "From 1", artist: "From 1", album: "From 1", year: "1998", track: 7, genre: 8)
    var front = ID3Bytes(version: 4)
    front.add("TIT2", "From 2")
    front.add("TALB", "")
    var mixed = try tags(front: front.bytes, back: back)
    #expect([mixed.title, mixed.artist, mixed.album] == ["From 2", "From 1", "From 1"])
    #expect(mixed.track == 7)

    // One in the middle, by mutagen; the front one says no more than who encoded it.
    var encoder = ID3Bytes(version: 4)
    encoder.add("TSSE", "an encoder")
    _ = try tags(front: encoder.bytes, back: back)
    try FullTags.write(.ape, to: folder.path("song.mp3"))
    expectSame(try facts(of: folder.path("song.mp3")).tags, FullTags.tags(in: .ape))

    // A FLAC with an ID3 tag in front, and a WAV with an INFO and an id3 chunk.
    let flac = FLACWithComments(["TITLE=From Vorbis"]).bytes
    front.add("TPE1", "From 2")
    mixed = try facts(of: folder.write(front.bytes + flac, to: "song.flac")).tags
    #expect([mixed.title, mixed.artist] == ["From Vorbis", "From 2"])
    let wav = folder.path("song.wav")
    let info = ["title": "From INFO", "artist": "From INFO", "date": "2001", "track": "4"]
    try SampleMusic.write(.wav, tags: info, to: wav)
    let chunk = front.bytes + (front.bytes.count % 2 == 0 ? [] : [0])
    let size = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: chunk.count >> $0) }
    try writeFile(readFile(wav) + Array("id3 ".utf8) + size + chunk, to: wav)
    mixed = try facts(of: wav).tags
    #expect([mixed.title, mixed.artist, mixed.date] == ["From 2", "From 2", "2001"])
    #expect(mixed.track == 4)
  }

  @Test("Numbers are those from 1 to 9,999, whatever else stands there")
  func numbers() throws {
    let cases: [(String, Int?, Int?)] = [
      ("3", 3, nil), ("3/12", 3, 12), ("03", 3, nil), ("03/012", 3, 12), ("AA1", nil, nil),
      ("3/0", 3, nil), ("-1", nil, nil), ("3/", 3, nil),
      ("/12", nil, 12), ("99999999999", nil, nil), ("3/99999999999", 3, nil), ("NaN", nil, nil),
      ("1e3", 1, nil), ("3.5", 3, nil), (" 7 ", 7, nil), ("3 of 12", 3, nil), ("٣", nil, nil),
      ("9999", 9999, nil), ("10000", nil, nil), ("", nil, nil), ("3/12/99", 3, 12),
      ("18446744073709551619", nil, nil), ("\u{0}3", nil, nil), ("3\u{0}", 3, nil),
    ]
    for (text, number, total) in cases {
      let comments = ["TRACKNUMBER=\(text)", "DISCNUMBER=\(text)", "TITLE=t"]
      let tags = try tags(of: comments.map { Array($0.utf8) })
      #expect([tags.track, tags.disc] == [number, number], "\(text)")
      #expect([tags.trackTotal, tags.discTotal] == [total, total], "\(text)")
      #expect(tags.title == "t")
    }
    // Sides, discs and 0 are a track's alone.
    for (text, disc, track) in [("B2", 2, 2), ("2-05", 2, 5), ("0", nil, 0)] as [(_, Int?, _)] {
      let tags = try tags(of: [Array("TRACKNUMBER=\(text)".utf8)])
      #expect(tags.disc == disc && tags.track == track, "\(text)")
    }
    for text in ["0", "B2"] {
      let tags = try tags(of: [Array("DISCNUMBER=\(text)".utf8)])
      #expect(tags.disc == nil, "\(text)")
    }
    // A total of its own goes before the other.
    let both = try tags(of: ["TRACKNUMBER=3/12", "TRACKTOTAL=13"].map { Array($0.utf8) })
    #expect(both.trackTotal == 13)
  }

  @Test("Flags and dates are taken as they are written")
  func flagsAndDates() throws {
    let flags = [
      ("1", true), ("0", false), ("true", true), ("YES", true), ("no", false), ("", false),
    ]
    for (text, flag) in flags {
      let tags = try tags(of: [Array("COMPILATION=\(text)".utf8)])
      #expect(tags.isCompilation == flag, "\(text)")
    }
    let dates = [
      "1999", "1999-05-04", "99999999999", "-5", "May 1999", "1999-05-04T12:00:00Z", "NaN", "0000",
    ]
    for date in dates {
      let tags = try tags(of: ["DATE=\(date)", "ORIGINALDATE=\(date)"].map { Array($0.utf8) })
      #expect([tags.date, tags.originalDate] == [date, date])
      var id3 = ID3Bytes(version: 3)
      id3.add("TYER", date)
      // TagLib makes dates of them; what matters is that it says something or nothing.
      #expect(try self.tags(front: id3.bytes).date.utf8.count < 100)
    }
    #expect(try tags(of: [Array("ORIGINALYEAR=1985".utf8)]).originalDate == "1985")
    #expect(try tags(of: [Array("YEAR=1985".utf8)]).date == "1985")
  }

  @Test("A track of 0 is one in text, and none in the pair of numbers that MP4 has")
  func trackZero() throws {
    let path = folder.path("song.m4a")
    try writeFile(readFile(SampleMusic.sound(.aac)), to: path)
    for (track, total) in [(0, 12), (0, 0), (3, 12)] {
      let script = """
        import sys
        from mutagen import mp4
        audio = mp4.MP4(sys.argv[1])
        audio["trkn"] = [(\(track), \(total))]
        audio.save()
        """
      let result = try run("/usr/bin/python3", ["-c", script, path])
      try #require(result.status == 0, "\(result.errors)")
      let tags = try facts(of: path).tags
      #expect(tags.track == (track == 0 ? nil : track))
      #expect(tags.trackTotal == (total == 0 ? nil : total))
    }
    var id3 = ID3Bytes(version: 4)
    id3.add("TRCK", "0/12")
    let text = try tags(front: id3.bytes)
    #expect(text.track == 0 && text.trackTotal == 12)
  }

  @Test("Of ID3v2.4's dates the release's counts where the recording's is missing")
  func releaseDate() throws {
    var id3 = ID3Bytes(version: 4)
    id3.add("TDRL", "2014-11-08")
    #expect(try tags(front: id3.bytes).date == "2014-11-08")
    id3.add("TDRC", "1999")
    #expect(try tags(front: id3.bytes).date == "1999")
  }

  @Test("Numbers and flags of WMA are read as numbers, flags and text")
  func windowsMedia() throws {
    let script = """
      import sys
      from mutagen import asf
      audio = asf.ASF(sys.argv[1])
      number = asf.ASFDWordAttribute(7) if sys.argv[2] == "number" else asf.ASFQWordAttribute(7)
      audio.tags.update({"WM/TrackNumber": [number if sys.argv[2] != "text" else "7"]})
      flags = {"number": asf.ASFDWordAttribute(1), "word": asf.ASFWordAttribute(1), "text": "1",
        "no": False}
      audio.tags.update({"WM/IsCompilation": [flags[sys.argv[2]]]})
      audio.save()
      """
    for kind in ["number", "word", "text", "no"] {
      let path = folder.path("\(kind).wma")
      try writeFile(readFile(SampleMusic.sound(.wma)), to: path)
      let result = try run("/usr/bin/python3", ["-c", script, path, kind])
      try #require(result.status == 0, "\(result.errors)")
      let tags = try facts(of: path).tags
      #expect(tags.isCompilation == (kind != "no"), "\(kind)")
      // TagLib reads no track from a quad word.
      if ["number", "text"].contains(kind) { #expect(tags.track == 7, "\(kind)") }
    }
  }

  @Test("Text in wrong encodings arrives as text, without what can't be")
  func encodings() throws {
    typealias Case = (ID3Bytes.Encoding, [UInt8], String)
    let cases: [Case] = [
      (.latin1, [0x4B, 0xE4, 0xE4, 0x72, 0x6D, 0x65], "Käärme"),
      (.latin1, [0x41, 0x80, 0x9B, 0x42], "AB"),
      (.utf16, [0xFF, 0xFE, 0x41, 0, 0xE4, 0], "Aä"),
      (.utf16, [0xFE, 0xFF, 0, 0x41, 0, 0xE4], "Aä"),
      (.utf16BigEndian, [0, 0x41, 0, 0xE4], "Aä"),
      (.utf16, [0xFF, 0xFE, 0x3D, 0xD8, 0x0D, 0xDC], "🐍"),
      (.utf8, Array("Aä".utf8), "Aä"),
    ]
    for (encoding, bytes, expected) in cases {
      var tag = ID3Bytes(version: 4)
      tag.add("TIT2", encoding, bytes)
      #expect(try tags(front: tag.bytes).title == expected, "\(encoding) \(bytes)")
    }
    // Lone surrogates, half characters, no mark of the byte order, nothing but it, invalid UTF-8.
    let broken: [(ID3Bytes.Encoding, [UInt8])] = [
      (.utf16, [0xFF, 0xFE, 0x41, 0, 0x3D, 0xD8]), (.utf16, [0xFF, 0xFE, 0x0D, 0xDC, 0x41, 0]),
      (.utf16, [0xFF, 0xFE, 0x41, 0, 0x42]), (.utf16, [0x41, 0, 0x42, 0]), (.utf16, [0xFF, 0xFE]),
      (.utf16, [0xFF]), (.utf16, []), (.utf16BigEndian, [0, 0x41, 0]), (.utf8, [0x41, 0xFF, 0x42]),
      (.utf8, [0xC3]), (.utf8, [0xED, 0xA0, 0x80]), (.utf8, [0xF4, 0x90, 0x80, 0x80]),
    ]
    for (encoding, bytes) in broken {
      var tag = ID3Bytes(version: 4)
      tag.add("TIT2", encoding, bytes)
      tag.add("TALB", "Album")
      let found = try tags(front: tag.bytes)
      #expect(found.album == "Album", "\(encoding) \(bytes)")
      #expect(found.title.utf8.count < 20)
    }
    for bytes in broken.map(\.1) {
      let found = try tags(of: [Array("TITLE=".utf8) + bytes, Array("ALBUM=Album".utf8)])
      #expect(found.album == "Album", "\(bytes)")
    }
  }

  @Test("NULs and other controls leave nothing behind, in any kind of tag")
  func controls() throws {
    let text = "a\u{0}b\u{1}\u{1B}c\u{7F}\u{9B}d\te\r\nf"
    let vorbis = try tags(of: [Array("ALBUM=\(text)".utf8)])
    var tag = ID3Bytes(version: 4)
    tag.add("TALB", text)
    for album in [vorbis.album, try tags(front: tag.bytes).album] {
      #expect(album.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value) })
      #expect(album.hasPrefix("a"), "\(album)")
    }
    // TagLib ends at the NUL there.
    let rest = text.filter { $0 != "\u{0}" }
    #expect(try tags(of: [Array("ALBUM=\(rest)".utf8)]).album == "abcd e  f")
  }

  @Test(
    "Values of a megabyte are cut in every kind of tag", arguments: [SampleFormat.mp3, .aac, .wv])
  func megabytes(_ format: SampleFormat) throws {
    let path = folder.path("song.\(format.pathExtension)")
    try writeFile(readFile(SampleMusic.sound(format)), to: path)
    let tagger = try Tagger()
    let long = String(repeating: "蛇", count: 350_000)
    try tagger.write(["title": long, "artist": long, "album": "Album"], to: path)
    let tags = try facts(of: path).tags
    #expect(tags.title.utf8.count == 65_535)
    #expect(tags.title.allSatisfy { $0 == "蛇" })
    #expect(tags.artist.utf8.count == 65_535)
    #expect(tags.album == "Album")
  }

  @Test("A tag that is unsynchronised, padded, or has an unknown frame or none is read")
  func shapes() throws {
    var tag = ID3Bytes(version: 3)
    // 0xFF 0xE0 would look like sound, so a zero stands between them.
    tag.flags = 0x80
    tag.add("TIT2", .latin1, [0x41, 0xFF, 0xE0])
    #expect(try tags(front: tag.bytes).title == "A\u{FF}\u{E0}")
    tag = ID3Bytes(version: 4)
    tag.add("XYZ9", "unknown")
    tag.add("TIT2", "Title")
    tag.add("\0\0\0\0", [UInt8](repeating: 0, count: 5000))
    #expect(try tags(front: tag.bytes).title == "Title")
    #expect(try tags(front: ID3Bytes(version: 4).bytes) == SongTags())
    // TagLib reads the first of two tags in front, and the sound is found behind both.
    #expect(try tags(front: tag.bytes + tag.bytes).title == "Title")
  }
}
