import LibraryModel
import TagReading
import TestSupport
import Testing

/// Files that are not as their formats have it, and play all the same.
@Suite("Sound that is cut off, or has something else beside it", .limited) struct OddSoundTests {
  private static let oggs: [SampleFormat] = [.ogg, .opus, .spx, .oga]

  @Test("has a digest in Ogg: that of its whole pages", arguments: oggs)
  func cutOgg(_ format: SampleFormat) throws {
    let folder = try TemporaryFolder()
    let whole = try readFile(longSound(format, in: folder))
    let last = try #require(OggPages(whole).starts.last)
    let pages = Array(whole[..<last])
    func digest(_ bytes: [UInt8]) throws -> AudioDigest? {
      try facts(of: folder.write(bytes, to: "a.\(format.pathExtension)")).digest
    }
    let expected = try #require(try digest(pages))
    // Somewhere in the last page, in its head, and with something behind it.
    for length in [last + 1, last + 20, last + 40, whole.count - 1] {
      #expect(try digest(Array(whole[..<length])) == expected, "\(length) of \(whole.count)")
    }
    let zeros = [UInt8](repeating: 0, count: 2_000)
    for junk in [zeros, noise(100_000), Array("OggS".utf8), Array("OggS".utf8) + zeros] {
      #expect(try digest(whole + junk) == digest(whole), "\(junk.count) bytes behind")
      #expect(try digest(pages + junk) == expected, "\(junk.count) bytes behind the cut")
    }
    #expect(try digest(whole) != expected)
  }

  /// A sound of a dozen pages, so that there is enough without the last.
  private func longSound(_ format: SampleFormat, in folder: TemporaryFolder) throws -> String {
    let path = folder.path("long.\(format.pathExtension)")
    let noise = "anoisesrc=color=pink:amplitude=0.3:duration=12:seed=1"
    let input = ["-nostdin", "-v", "error", "-f", "lavfi", "-i", noise, "-ac", "2"]
    let codec: [String] =
      switch format {
      case .ogg: ["-ar", "44100", "-c:a", "libvorbis"]
      case .opus: ["-ar", "48000", "-c:a", "libopus"]
      case .spx: ["-ar", "32000", "-c:a", "libspeex"]
      default: ["-ar", "44100", "-c:a", "flac"]
      }
    let result = try run("ffmpeg", input + codec + ["-f", "ogg", path])
    try #require(result.status == 0, "\(result.errors)")
    return path
  }

  @Test("keeps that digest when it is retagged", arguments: oggs)
  func retagged(_ format: SampleFormat) throws {
    let folder = try TemporaryFolder()
    let whole = try readFile(longSound(format, in: folder))
    let last = try #require(OggPages(whole).starts.last)
    // mutagen writes into such a file as long as the number of pages stays.
    let cut = Array(whole[..<((last + whole.count + 280) / 2)])
    let path = try folder.write(cut, to: "a.\(format.pathExtension)")
    let digest = try #require(try facts(of: path).digest)
    try Tagger().write(["title": "Title", "artist": "Artist"], to: path)
    let found = try facts(of: path)
    #expect(found.tags.title == "Title")
    #expect(found.digest == digest)
  }

  @Test("has a digest in FLAC that has an MD5 and doesn't count its samples")
  func uncounted() throws {
    let folder = try TemporaryFolder()
    var bytes = try readFile(SampleMusic.sound(.flac))
    bytes[21] &= 0xF0
    for index in 22..<26 { bytes[index] = 0 }
    let path = try folder.write(bytes, to: "a.flac")
    let digest = try #require(try facts(of: path).digest)
    try Tagger().write(["title": "Title"], picture: 30_000, to: path)
    #expect(try facts(of: path).digest == digest)
    // Silence would not do, whose frames are next to nothing.
    for index in 15..<18 { bytes[index] = 0 }
    bytes[17] = 14
    #expect(try facts(of: folder.write(bytes, to: "b.flac")).digest == nil)
  }

  @Test("is read in FLAC behind a metadata block of no bytes and of a kind that nobody knows")
  func emptyBlock() throws {
    let folder = try TemporaryFolder()
    let whole = FLACWithComments(["TITLE=Title"]).bytes
    // Behind the first block; and once more as the last one of all.
    let inMidst = Array(whole[..<42]) + [0x7E, 0, 0, 0] + whole[42...]
    let found = try facts(of: folder.write(inMidst, to: "a.flac"))
    #expect(found.tags.title == "Title")
    #expect(try found.digest == facts(of: folder.write(whole, to: "b.flac")).digest)
    var atEnd = whole
    atEnd[42] &= 0x7F
    let end = 46 + Int(whole[43]) << 16 + Int(whole[44]) << 8 + Int(whole[45])
    atEnd.insert(contentsOf: [0xFE, 0, 0, 0], at: end)
    #expect(try facts(of: folder.write(atEnd, to: "c.flac")).tags.title == "Title")
  }

  @Test("has all values of MP4 atoms that stand there several times")
  func repeatedAtoms() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.m4a")
    try SampleMusic.write(.aac, tags: ["artist": "AAAA", "album": "Album"], to: path)
    var bytes = try readFile(path)
    // Three atoms of one value each in the room of one and of free space.
    let atoms = ["One", "Two", "Three"].map { text -> [UInt8] in
      let data = big(16 + text.utf8.count, 4) + Array("data".utf8) + big(1, 4) + big(0, 4)
      return big(24 + text.utf8.count, 4) + [0xA9] + Array("ART".utf8) + data + Array(text.utf8)
    }
    try grow(&bytes, replacing: [0xA9] + Array("ART".utf8), by: atoms.flatMap { $0 })
    let tags = try facts(of: folder.write(bytes, to: "b.m4a")).tags
    #expect(tags.artist == "One; Two; Three")
    #expect(tags.album == "Album")
  }

  /// Puts other atoms into the place of one in ilst, and corrects the sizes of those around it.
  /// ffmpeg has all that behind the sound, so that no offset changes.
  private func grow(_ bytes: inout [UInt8], replacing name: [UInt8], by atoms: [UInt8]) throws {
    func place(of name: [UInt8], from: Int) throws -> Int {
      let found = (from..<(bytes.count - 4)).first { Array(bytes[$0..<($0 + 4)]) == name }
      return try #require(found) - 4
    }
    func size(at place: Int) -> Int { bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } }
    let media = try place(of: Array("mdat".utf8), from: 0)
    var around: [Int] = []
    var from = media + size(at: media)
    for word in ["moov", "udta", "meta", "ilst"] {
      around.append(try place(of: Array(word.utf8), from: from))
      from = around.last ?? from
    }
    let old = try place(of: name, from: from)
    let count = size(at: old)
    bytes.replaceSubrange(old..<(old + count), with: atoms)
    for place in around {
      bytes.replaceSubrange(
        place..<(place + 4), with: big(size(at: place) + atoms.count - count, 4))
    }
  }
}

/// Where the pages of an Ogg file begin.
struct OggPages {
  private(set) var starts: [Int] = []

  init(_ bytes: [UInt8]) {
    var place = 0
    while place + 27 <= bytes.count {
      starts.append(place)
      let lacing = Int(bytes[place + 26])
      place += 27 + lacing + bytes[(place + 27)..<(place + 27 + lacing)].reduce(0) { $0 + Int($1) }
    }
  }
}
