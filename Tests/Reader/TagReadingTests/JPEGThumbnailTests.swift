import LibraryModel
import TagReading
import TestSupport
import Testing

@Suite("Covers as JPEGs", .limited)
struct JPEGThumbnailTests {
  @Test(
    "A JPEG of any kind of cover shows what its pixels show, and has nothing else in it",
    arguments: [
      "jpeg", "jpeg-progressive", "jpeg-subsampled", "jpeg-printed", "jpeg-turned", "jpeg-grey",
      "png", "png-palette", "png-interlaced", "png-deep", "png-transparent", "png-grey",
    ])
  func jpegs(_ name: String) throws {
    let cover = try SamplePicture.bytes(name)
    for side in [512, 39, 16] {
      let pixels = try #require(try thumbnail(of: cover, side: side).made)
      let outcome = try thumbnail(of: cover, side: side, form: .jpeg)
      let made = try #require(outcome.made)
      #expect(made.form == .jpeg && outcome.digest == CoverDigest(of: cover))
      #expect(made.width == pixels.width && made.height == pixels.height)
      let file = try JPEGFile(made.bytes)
      #expect(file.width == made.width && file.height == made.height)
      #expect(file.sampling == [0x22, 0x11, 0x11], "colours at half the resolution")
      #expect(Set(file.segments) == [0xE0, 0xDB, 0xC0, 0xC4, 0xDA], "\(file.segments)")
      let again = try #require(try thumbnail(of: made.bytes, side: 512).made)
      #expect(quarters(again) == quarters(pixels), "\(side)")
      #expect(difference(again, pixels) < 12, "\(side)")
    }
  }

  @Test("A JPEG is one for other programs, too")
  func foreign() throws {
    let folder = try TemporaryFolder()
    let made = try #require(
      try thumbnail(of: SamplePicture.bytes("png"), side: 512, form: .jpeg).made)
    let path = try folder.write(made.bytes, to: "made.jpg")
    let said = try run(
      "ffmpeg",
      [
        "-v", "error", "-xerror", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24",
        folder.path("pixels"),
      ])
    #expect(said.status == 0 && said.errors.isEmpty, "\(said.errors)")
    let pixels = try readFile(folder.path("pixels"))
    let read = try #require(Thumbnail(width: 40, height: 20, bytes: pixels))
    #expect(quarters(read) == "RGBW")
  }

  @Test("Noise in all colours, which no JPEG makes small, is one that fits")
  func noise() throws {
    var dice = SeededGenerator(usually: 3)
    for side in [16, 512] {
      let rows = (0..<side).flatMap { _ in
        [0] + (0..<side * 3).map { _ in UInt8.random(in: 0...255, using: &dice) }
      }
      let cover = png(width: side, height: side, colours: 2, rows: rows)
      let made = try #require(try thumbnail(of: cover, side: side, form: .jpeg).made)
      #expect(made.width == side && made.bytes.count < max(1_500, side * side * 2), "\(dice)")
    }
  }

  /// The mean difference of two pictures of one size, per byte.
  private func difference(_ one: Thumbnail, _ other: Thumbnail) -> Int {
    let sum = zip(one.bytes, other.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return sum / max(1, one.bytes.count)
  }
}

/// What stands before the pixels of a JPEG (ITU-T T.81, B.1).
private struct JPEGFile {
  /// The second bytes of the markers of all segments.
  private(set) var segments: [UInt8] = []
  private(set) var width = 0
  private(set) var height = 0
  /// How often each colour is there, across and down.
  private(set) var sampling: [UInt8] = []

  init(_ bytes: [UInt8]) throws {
    try #require(bytes.starts(with: [0xFF, 0xD8]) && bytes.suffix(2) == [0xFF, 0xD9])
    var place = 2
    while segments.last != 0xDA {
      try #require(place + 10 < bytes.count && bytes[place] == 0xFF)
      let marker = bytes[place + 1]
      segments.append(marker)
      func number(_ at: Int) -> Int { Int(bytes[place + at]) << 8 | Int(bytes[place + at + 1]) }
      if marker == 0xC0 {
        (height, width) = (number(5), number(7))
        sampling = (0..<Int(bytes[place + 9])).map { bytes[place + 11 + 3 * $0] }
      }
      place += 2 + number(2)
    }
  }
}
