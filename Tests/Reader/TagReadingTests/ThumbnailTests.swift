import Glibc
import LibraryModel
import Platform
import TagReading
import TestSupport
import Testing

/// The pictures here are those of `quarters`.
@Suite("Covers as pixels", .limited)
struct ThumbnailTests {
  @Test(
    "JPEG and PNG of every kind are shown as they are",
    arguments: [
      "jpeg", "jpeg-progressive", "jpeg-subsampled", "jpeg-printed", "png", "png-palette",
      "png-interlaced", "png-deep", "png-transparent",
    ])
  func kinds(_ name: String) throws {
    for (side, width, height) in [(512, 40, 20), (40, 40, 20), (39, 39, 20), (16, 16, 8)] {
      let made = try #require(try thumbnail(of: SamplePicture.bytes(name), side: side).made)
      #expect(made.width == width && made.height == height, "\(side)")
      #expect(quarters(made) == "RGBW", "\(side)")
    }
  }

  @Test("What is grey stays grey", arguments: ["jpeg-grey", "png-grey"])
  func grey(_ name: String) throws {
    let made = try #require(try thumbnail(of: SamplePicture.bytes(name), side: 16).made)
    for start in stride(from: 0, to: made.bytes.count, by: 3) {
      #expect(Set(made.bytes[start..<(start + 3)]).count == 1)
    }
    #expect(made.bytes.suffix(3).allSatisfy { $0 > 250 })
  }

  @Test(
    "A picture is turned as its EXIF says, in both orders of bytes",
    arguments: zip(
      0...9, ["RGBW", "RGBW", "GRWB", "WBGR", "BWRG", "RBGW", "BRWG", "WGBR", "GWRB", "RGBW"]))
  func turning(_ orientation: Int, _ expected: String) throws {
    for isBig in [false, true] {
      func number(_ value: Int, _ count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isBig ? bytes.reversed() : bytes
      }
      // One entry that is another tag, and the one that says it.
      let exif =
        Array((isBig ? "MM" : "II").utf8) + number(42, 2) + number(8, 4) + number(2, 2)
        + number(0x0100, 2) + number(3, 2) + number(1, 4) + number(7, 2) + number(0, 2)
        + number(0x0112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + number(0, 2)
        + number(0, 4)
      let segment = Array("Exif\0\0".utf8) + exif
      let length = segment.count + 2
      let plain = try SamplePicture.bytes("jpeg")
      let turned = Array(
        plain[..<2] + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + segment + plain[2...]
      )
      let made = try #require(try thumbnail(of: turned, side: 512).made)
      #expect(quarters(made) == expected)
      let isAcross = (5...8).contains(orientation)
      #expect(made.width == (isAcross ? 20 : 40) && made.height == (isAcross ? 40 : 20))
      // Cut off anywhere it says nothing, and harms nothing.
      for count in [6, 8, 10, 20, segment.count - 6] {
        let cut = Array(
          plain[..<2] + [0xFF, 0xE1, 0, UInt8(count + 2)] + segment.prefix(count) + plain[2...])
        #expect(try thumbnail(of: cut, side: 512).made != nil)
      }
    }
  }

  @Test("Shrinking is the mean of what lies under each pixel")
  func means() throws {
    // A fine chessboard of black and white, which is grey from afar.
    let made = try #require(try thumbnail(of: chessboard(side: 128), side: 16).made)
    #expect(made.width == 16 && made.height == 16)
    #expect(made.bytes.allSatisfy { (126...129).contains($0) })
  }

  /// A PNG of eight bits a pixel, in blocks that are not compressed.
  private func chessboard(side: Int) -> [UInt8] {
    var rows: [UInt8] = []
    for row in 0..<side {
      rows.append(0)
      for column in 0..<side { rows.append((row + column) % 2 == 0 ? 0 : 255) }
    }
    return png(width: side, height: side, rows: rows)
  }

  @Test("The cover in a song is found by its digest, which its tags tell")
  func embedded() throws {
    let folder = try TemporaryFolder()
    let picture = try SamplePicture.bytes("jpeg")
    let sound = try readFile(try SampleMusic.sound(.mp3))
    let song = try folder.write(SamplePicture.inSong(picture, sound), to: "a.mp3")
    let plain = try folder.write(sound, to: "b.mp3")
    let alone = try folder.write(picture, to: "cover.jpg")
    let outcomes = try thumbnails(of: [song, plain, alone], side: 64)
    let made = try #require(outcomes[0].made)
    #expect(quarters(made) == "RGBW")
    let digest = try #require(try facts(of: song).cover)
    #expect(outcomes[0].digest == digest && outcomes[2].digest == digest)
    #expect(outcomes[2].made == made)
    #expect(try facts(of: plain).cover == nil)
    guard case .noCover(nil) = outcomes[1] else {
      Issue.record("\(outcomes[1])")
      return
    }
  }

  @Test(
    "What can't be decoded, or is too large, is no cover, and known by its digest",
    arguments: Thumbnail.Form.allCases)
  func undecodable(form: Thumbnail.Form) throws {
    let jpeg = try SamplePicture.bytes("jpeg")
    let png = try SamplePicture.bytes("png")
    var huge = png
    // 50,000 × 50,000 pixels, were it true.
    huge.replaceSubrange(16..<24, with: [0, 0, 0xC3, 0x50, 0, 0, 0xC3, 0x50])
    let pieces: [[UInt8]] = [
      Array(jpeg.prefix(20)), Array(png.prefix(40)), Array(png.dropLast(40)), huge,
      Array("\u{89}PNG\r\n\u{1A}\n".unicodeScalars.map { UInt8($0.value) }) + [1, 2, 3],
      [0xFF, 0xD8, 0xFF, 0xD9],
    ]
    for piece in pieces {
      let outcome = try thumbnail(of: piece, side: 100, form: form)
      #expect(outcome.made == nil && outcome.digest != nil, "\(outcome)")
    }
    // No picture at all, of a kind that is none, and longer than any may be.
    for other in [
      Array("GIF89a and more".utf8), [], jpeg + [UInt8](repeating: 0, count: 6_000_000),
    ] {
      guard case .noCover(nil) = try thumbnail(of: other, side: 100, form: form) else {
        Issue.record("\(other.prefix(10))")
        continue
      }
    }
  }

  @Test(
    "Anything may be in a picture: one that was damaged is shown or is none",
    arguments: Thumbnail.Form.allCases)
  func mutated(form: Thumbnail.Form) throws {
    var dice = SeededGenerator(usually: 12)
    let folder = try TemporaryFolder()
    var paths: [String] = []
    for name in ["jpeg", "jpeg-progressive", "jpeg-turned", "png", "png-interlaced", "png-palette"]
    {
      for number in 0..<30 {
        let bytes = mutate(try SamplePicture.bytes(name), with: &dice)
        paths.append(try folder.write(bytes, to: "\(name) \(number)"))
      }
    }
    for outcome in try thumbnails(of: paths, side: 33, form: form) {
      if case .unknown(let problem) = outcome { Issue.record("\(problem) \(dice)") }
      if let made = outcome.made { #expect(max(made.width, made.height) <= 33) }
    }
  }

  @Test(
    "A picture that ends its reader, hangs or lies costs itself alone",
    arguments: Thumbnail.Form.allCases)
  func bad(form: Thumbnail.Form) throws {
    let fake = try FakeReader()
    var limits = ReaderLimits()
    limits.deadline = 3_000_000_000
    let pool = try ReaderPool(program: fake.program, count: 1, limits: limits)
    defer { pool.shutDown() }
    let outcomes = Monitor<[String: ThumbnailOutcome]>([:])
    let folder = try TemporaryFolder()
    let file = try folder.write("text", to: "a")
    let names = ["first", "boom", "hang", "spin", "lie", "last"]
    for name in names {
      let opened = OpenFile(owning: open(file, O_RDONLY | O_CLOEXEC))
      pool.readThumbnail(opened, side: 99, form: form, name) { outcome in
        outcomes.withLock { $0[name] = outcome }
      }
    }
    let all = outcomes.wait { $0.count == names.count ? $0 : nil }
    for name in names {
      guard let outcome = all[name] else { continue }
      switch outcome {
      case .unknown(let problem): #expect(name == "hang", "\(name): \(problem)")
      case .noCover(nil): #expect(name != "hang")
      default: Issue.record("\(name): \(outcome)")
      }
    }
  }

  @Test("Pixels that are not what they say are nonsense, and a larger picture than asked is none")
  func replies() throws {
    let rgb = [UInt8](repeating: 7, count: 12)
    func reply(_ width: UInt32, _ height: UInt32, _ count: Int = 12) -> ReaderReply? {
      var writer = ReplyWriter()
      writer.begin(.song)
      writer.append(cover: 5)
      Array(rgb.prefix(count)).withUnsafeBytes {
        writer.append(thumbnail: $0, width: width, height: height)
      }
      writer.end()
      return ReplyTests.parse(Array(writer.bytes.dropFirst(ReaderReply.lengthBytes)))
    }
    guard case .song(let song)? = reply(2, 2) else {
      Issue.record("a thumbnail was written")
      return
    }
    #expect(song.thumbnail == Thumbnail(width: 2, height: 2, bytes: rgb))
    #expect(song.cover == CoverDigest(number: 5))
    #expect(song.cover?.description == "0000000000000005")
    #expect(reply(2, 1) == nil && reply(0, 0, 0) == nil && reply(4, 1, 9) == nil)
    #expect(Thumbnail(width: 513, height: 1, bytes: [UInt8](repeating: 0, count: 1_539)) == nil)
  }
}
