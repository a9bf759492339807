import LibraryModel
import TagReading
import TestSupport
import Testing

@Suite("What readers and the daemon tell each other", .limited) struct ReplyTests {
  /// The record that these fields make, without its length.
  static func record(
    _ fields: [(ReaderField, [UInt8])], numbers: [(ReaderField, Int64)] = [],
    digest: AudioDigest? = nil
  ) -> [UInt8] {
    var writer = ReplyWriter()
    writer.begin(.song)
    for (field, text) in fields {
      text.withUnsafeBytes { writer.append(field, text: $0) }
    }
    for (field, number) in numbers { writer.append(field, number: number) }
    if let digest { writer.append(digestHigh: digest.high, low: digest.low) }
    writer.end()
    return Array(writer.bytes.dropFirst(ReaderReply.lengthBytes))
  }

  static func parse(_ record: [UInt8]) -> ReaderReply? {
    var parser = ReplyParser()
    return record.withUnsafeBytes { parser.parse($0) }
  }

  static func song(_ fields: [(ReaderField, String)], numbers: [(ReaderField, Int64)] = [])
    -> ReaderReply.Song?
  {
    let record = record(fields.map { ($0, Array($1.utf8)) }, numbers: numbers)
    guard case .song(let song) = parse(record) else { return nil }
    return song
  }

  @Test("a request comes out as it went in", arguments: [1, 2, 15, 16])
  func requestRoundTrip(_ count: Int) {
    for answersOneByOne in [false, true] {
      let request = ReaderRequest(
        answersOneByOne: answersOneByOne, pathExtensions: (0..<count).map { "mp\($0)" })
      let bytes = request.encoded()
      #expect(bytes.count == ReaderRequest.byteCount)
      #expect(ReaderRequest(decoding: bytes) == request)
    }
  }

  @Test("an extension that is too long arrives empty")
  func longExtension() {
    let longest = String(repeating: "x", count: 16)
    let request = ReaderRequest(answersOneByOne: false, pathExtensions: [longest, longest + "x"])
    #expect(ReaderRequest(decoding: request.encoded())?.pathExtensions == [longest, ""])
  }

  @Test("a request that was damaged is refused or another request, and no trap")
  func mutatedRequests() {
    var dice = SeededGenerator(usually: 11)
    let bytes = ReaderRequest(answersOneByOne: true, pathExtensions: ["mp3", "flac"]).encoded()
    for _ in 0..<2_000 {
      // Mostly where it matters.
      let head = mutate(Array(bytes.prefix(8)), with: &dice)
      guard let request = ReaderRequest(decoding: head + bytes.dropFirst(head.count)) else {
        continue
      }
      #expect((1...16).contains(request.pathExtensions.count), "\(dice)")
    }
  }

  @Test("a reply comes out as it went in")
  func replyRoundTrip() throws {
    let texts = ReaderField.allCases.filter { $0.rawValue <= ReaderField.format.rawValue }
    let record = Self.record(
      texts.map { ($0, Array("\($0.rawValue)".utf8)) },
      numbers: [(.milliseconds, 1), (.bitRate, 2), (.sampleRate, 3), (.channels, 4)],
      digest: AudioDigest(high: 5, low: 6))
    guard case .song(let song) = Self.parse(record) else {
      Issue.record("a song was written")
      return
    }
    let tags = song.tags
    #expect([tags.title, tags.artist, tags.album, tags.albumArtist] == ["1", "2", "3", "4"])
    #expect([tags.composer, tags.genre, tags.date, tags.originalDate] == ["5", "6", "7", "8"])
    #expect([tags.disc, tags.discTotal, tags.track, tags.trackTotal] == [9, 10, 11, 12])
    #expect(tags.isCompilation)
    #expect([tags.titleSort, tags.artistSort] == ["14", "15"])
    #expect([tags.albumSort, tags.albumArtistSort] == ["16", "17"])
    #expect([tags.recording, tags.release, tags.releaseArtist] == ["18", "19", "20"])
    #expect([song.audio.codec, song.format] == ["21", "22"])
    #expect([song.audio.milliseconds, song.audio.bitRate] == [1, 2])
    #expect([song.audio.sampleRate, song.audio.channels] == [3, 4])
    #expect(song.digest == AudioDigest(high: 5, low: 6))
  }

  @Test("a problem comes out as it went in", arguments: ReaderStatus.allCases.dropFirst())
  func problemRoundTrip(_ status: ReaderStatus) {
    var writer = ReplyWriter()
    writer.begin(status, errorNumber: -7)
    writer.end()
    let record = Array(writer.bytes.dropFirst(4))
    #expect(Self.parse(record) == .problem(status, errorNumber: -7))
  }

  @Test(
    "numbers are those from 1 to 9,999 and nothing else",
    arguments: [
      ("3", 3, nil), ("03", 3, nil), ("3/12", 3, 12), (" 7 / 9 ", 7, 9), ("3/0", 3, nil),
      ("AA1", nil, nil), ("", nil, nil), ("/5", nil, 5), ("-3", nil, nil),
      ("9999", 9999, nil), ("10000", nil, nil), ("99999999999999999999999", nil, nil),
      ("3/99999999999999999999", 3, nil), ("NaN", nil, nil), ("1e9", 1, nil), ("٣", nil, nil),
      ("3//4", 3, nil), ("12 of 13", 12, nil),
    ] as [(String, Int?, Int?)])
  func numbers(_ text: String, _ number: Int?, _ total: Int?) {
    let song = Self.song([(.disc, text), (.track, text)])
    #expect(song?.tags.track == number)
    #expect(song?.tags.trackTotal == total)
    #expect(song?.tags.disc == number)
    #expect(song?.tags.discTotal == total)
  }

  @Test(
    "a track is a number, a side and a number, or a disc and a number",
    arguments: [
      // 0 is a number where it is written, of a track that is before the first.
      ("0", nil, 0, nil), ("00", nil, 0, nil), ("0/12", nil, 0, 12), ("", nil, nil, nil),
      ("A1", 1, 1, nil), ("a2", 1, 2, nil), ("B01", 2, 1, nil), ("D12/20", 4, 12, 20),
      ("A-1", 1, 1, nil), ("A.1", 1, 1, nil), ("A 1", 1, 1, nil), (" B2 ", 2, 2, nil),
      ("B1a", 2, 1, nil), ("Z9999", 26, 9999, nil), ("A0", 1, 0, nil),
      // A side with one track.
      ("A", 1, 1, nil), ("B ", 2, 1, nil),
      ("1-01", 1, 1, nil), ("2-05", 2, 5, nil), ("2-05/10", 2, 5, 10), ("10-1", 10, 1, nil),
      ("0-3", nil, 3, nil), ("1-0", 1, 0, nil),
      ("3-", nil, 3, nil), ("3 - 4", nil, 3, nil), ("1.02", nil, 1, nil),
      ("AA1", nil, nil, nil), ("A10000", nil, nil, nil), ("N/A", nil, nil, nil),
      ("CD1", nil, nil, nil), ("Track 1", nil, nil, nil), ("É1", nil, nil, nil),
      ("?", nil, nil, nil), ("-", nil, nil, nil), ("--1", nil, nil, nil),
    ] as [(String, Int?, Int?, Int?)])
  func tracks(_ text: String, _ disc: Int?, _ track: Int?, _ total: Int?) {
    let tags = Self.song([(.track, text)])?.tags
    #expect(tags?.disc == disc)
    #expect(tags?.track == track)
    #expect(tags?.trackTotal == total)
  }

  @Test(
    "sides count through the discs of a set, whether their letters go on or begin anew",
    arguments: [
      ("1", "A1", 1), ("1", "B1", 2), ("2", "C1", 3), ("2", "D1", 4), ("3", "F1", 6),
      ("2", "A1", 3), ("2", "B1", 4), ("3", "A1", 5),
      // All of a set are called disc 1.
      ("1", "C1", 3), ("1/1", "D1", 4),
      // A disc of its own says more than one in the track.
      ("2", "1-01", 2), ("0", "1-01", 1), ("2", "7", 2), ("2", "AA1", 2), ("2", "", 2),
    ])
  func sides(_ disc: String, _ track: String, _ sorted: Int) {
    #expect(Self.song([(.disc, disc), (.track, track)])?.tags.disc == sorted)
  }

  @Test("a total of its own goes before the one behind the slash")
  func totals() {
    let before = Self.song([(.trackTotal, "20"), (.track, "3/12")])
    #expect(before?.tags.trackTotal == 20)
    let after = Self.song([(.track, "3/12"), (.trackTotal, "x")])
    #expect(after?.tags.trackTotal == 12)
  }

  @Test("numbers that no sound has are not believed")
  func audioNumbers() {
    let worst: [Int64] = [-1, .min, .max]
    for number in worst {
      let audio = Self.song(
        [],
        numbers: [
          (.milliseconds, number), (.bitRate, number), (.sampleRate, number), (.channels, number),
        ])?.audio
      #expect(audio == AudioProperties())
    }
  }

  @Test("text holds no control characters, and what is not UTF-8 is replaced")
  func text() {
    let record = Self.record([(.title, Array("a\0b\tc\u{85}d\u{7F}e".utf8) + [0xFF, 0x66])])
    guard case .song(let song) = Self.parse(record) else {
      Issue.record("a song was written")
      return
    }
    #expect(song.tags.title == "ab cde\u{FFFD}f")
  }

  @Test("text that repeats is the same text, and text that doesn't is not")
  func repeatedText() {
    var parser = ReplyParser()
    func artist(_ text: String) -> String? {
      let record = Self.record([(.artist, Array(text.utf8))])
      guard case .song(let song) = record.withUnsafeBytes({ parser.parse($0) }) else { return nil }
      return song.tags.artist
    }
    #expect(
      ["One", "One", "Ond", "Onde", "é", "e\u{301}"].map(artist) == [
        "One", "One", "Ond", "Onde", "é", "e\u{301}",
      ])
    #expect(artist("é")?.utf8.count == 2)
    #expect(artist("e\u{301}")?.utf8.count == 3)
  }

  @Test("text of more than 64 KiB and numbers of another size are lies")
  func lies() {
    let long = [UInt8](repeating: 65, count: ReaderReply.textBytesMost + 1)
    #expect(Self.parse(Self.record([(.title, long)])) == nil)
    #expect(Self.parse(Self.record([(.milliseconds, [1, 2, 3])])) == nil)
    #expect(Self.parse(Self.record([(.digest, [1, 2, 3])])) == nil)
    #expect(Self.parse([]) == nil)
    #expect(Self.parse([0, 0, 0, 0, 0, 200, 0, 0, 0, 0]) == nil)
    #expect(Self.parse([99, 0, 0, 0, 0]) == nil)
  }

  @Test("records are as long as they say, up to a limit")
  func lengths() {
    func length(_ bytes: [UInt8]) -> Int? {
      bytes.withUnsafeBytes { ReplyParser.recordLength($0) }
    }
    #expect(length([]) == nil)
    #expect(length([1, 0, 0]) == nil)
    #expect(length([1, 0, 0, 0]) == nil)
    #expect(length([1, 0, 0, 0, 9]) == 1)
    #expect(length([0, 0, 0, 0]) == 0)
    let most = UInt32(ReaderReply.bytesMost)
    func header(_ length: UInt32) -> [UInt8] {
      [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: length >> $0) }
    }
    #expect(length(header(most)) == nil)
    #expect(length(header(most + 1)) == -1)
    #expect(length([0xFF, 0xFF, 0xFF, 0xFF, 0]) == -1)
  }

  @Test("replies that were damaged are refused or hold what they promise")
  func mutatedReplies() {
    var dice = SeededGenerator(usually: 12)
    let record = Self.record(
      [
        (.title, Array("Title".utf8)), (.artist, Array("Ärtist".utf8)),
        (.track, Array("3/12".utf8)),
      ],
      numbers: [(.milliseconds, 1234), (.bitRate, 128)], digest: AudioDigest(high: 1, low: 2))
    var parser = ReplyParser()
    var songs = 0
    for _ in 0..<20_000 {
      let mutated = mutate(record, with: &dice)
      guard case .song(let song) = mutated.withUnsafeBytes({ parser.parse($0) }) else { continue }
      songs += 1
      #expect(isSound(song), "\(dice)")
    }
    #expect(songs > 100)
  }

  private func isSound(_ song: ReaderReply.Song) -> Bool {
    let numbers = [song.tags.track, song.tags.trackTotal, song.tags.disc, song.tags.discTotal]
    let texts = [song.tags.title, song.tags.artist, song.tags.album, song.format]
    return numbers.allSatisfy { $0.map { (1...9999).contains($0) } ?? true }
      && texts.allSatisfy {
        $0.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
      }
      && song.audio.milliseconds >= 0 && song.audio.bitRate >= 0
  }
}

/// Bytes with a few of them changed, cut off, doubled or put in.
func mutate(_ bytes: [UInt8], with dice: inout SeededGenerator) -> [UInt8] {
  var bytes = bytes
  for _ in 0..<Int.random(in: 1...4, using: &dice) where !bytes.isEmpty {
    let place = Int.random(in: 0..<bytes.count, using: &dice)
    switch Int.random(in: 0..<6, using: &dice) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &dice)
    case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
    case 2: bytes.removeSubrange(place...)
    case 3: bytes.insert(UInt8.random(in: 0...255, using: &dice), at: place)
    case 4: bytes.insert(contentsOf: bytes[place...].prefix(16), at: place)
    default: bytes[place] = [0, 0xFF, 0x80, 0x7F].randomElement(using: &dice) ?? 0
    }
  }
  return bytes
}
