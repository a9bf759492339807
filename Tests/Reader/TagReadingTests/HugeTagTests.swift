import Glibc
import LibraryModel
import Platform
import TagReading
import TestSupport
import Testing

/// Files that claim more than they hold, and files that hold more than anybody wants.
@Suite("Tags beyond all measure", .limited) struct HugeTagTests {
  private static let mp4 = box("ftyp", Array("M4A \0\0\0\0".utf8))

  private static func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
    big(body.count + 8) + Array(name.utf8) + body
  }

  private static func big(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func little(_ number: Int) -> [UInt8] { big(number).reversed() }

  /// Boxes in boxes, and what is in the innermost one.
  private static func nested(_ name: String, depth: Int) -> [UInt8] {
    (0..<depth).flatMap { level in big(8 * (depth - level)) + Array(name.utf8) }
  }

  private static func chapters(depth: Int) -> [UInt8] {
    let head = Array("c\0".utf8) + [UInt8](repeating: 0, count: 16)
    var frames: [UInt8] = []
    for level in 0..<depth {
      let size = (depth - level) * (10 + head.count) - 10
      let safe = [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: size >> $0) & 0x7F }
      frames += Array("CHAP".utf8) + safe + [0, 0] + head
    }
    let size = [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: frames.count >> $0) & 0x7F }
    return Array("ID3".utf8) + [4, 0, 0] + size + frames
  }

  private func monsters() throws -> [(String, [UInt8])] {
    let mp3 = try readFile(SampleMusic.sound(.mp3))
    let flac = FLACWithComments(["TITLE=t"]).bytes
    let comments = FLACWithComments([String](repeating: "A=1", count: 1_000_000)).bytes
    var claims: [(String, [UInt8])] = []
    // The count of the comments, and the length of the first one.
    for (place, name) in [(46, "vendor"), (50, "count"), (54, "comment")] {
      var bytes = flac
      bytes.replaceSubrange(place..<(place + 4), with: [0xFF, 0xFF, 0xFF, 0xFF])
      claims.append(("\(name).flac", bytes))
    }
    let item = Self.little(-1) + Self.little(0) + Array("Title\0t".utf8)
    let ape =
      item + Array("APETAGEX".utf8) + Self.little(2000) + Self.little(item.count + 32)
      + Self.little(-1) + [UInt8](repeating: 0, count: 12)
    let riff = Array("RIFF".utf8) + Self.little(-1) + Array("WAVE".utf8)
    let chunk = Array("junk\0\0\0\0".utf8)
    let endless = Self.big(1) + Array("mdat".utf8) + [UInt8](repeating: 0xFF, count: 8)
    return claims + [
      ("a million.flac", comments),
      ("blocks.flac", Array("fLaC".utf8) + [UInt8](repeating: 1, count: 4_000_000)),
      ("ape.mp3", mp3 + ape),
      ("chunks.wav", riff + Self.repeated(chunk, 200_000)),
      ("boxes.m4a", Self.mp4 + Self.repeated(Self.box("free", []), 200_000)),
      ("deep.m4a", Self.mp4 + Self.nested("moov", depth: 10_000)),
      ("abyss.m4a", Self.mp4 + Self.nested("moov", depth: 200_000)),
      ("deep.mp3", Self.chapters(depth: 10_000) + mp3),
      ("endless.m4a", Self.mp4 + endless),
    ]
  }

  private static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: bytes.count * count) { room, initialized in
      for index in 0..<(bytes.count * count) { room[index] = bytes[index % bytes.count] }
      initialized = bytes.count * count
    }
  }

  @Test("Files of sizes, counts and depths without sense have an outcome, and ordinary ones go on")
  func outcomes() throws {
    let folder = try TemporaryFolder()
    let good = try SampleMusic.sound(.mp3)
    var paths = try monsters().map { name, bytes in try folder.write(bytes, to: name) }
    // A hole costs no disk. To be read it is copied, and copied again.
    let heavy = Array("ID3".utf8) + [3, 0, 0x80, 0x40, 0, 0, 0]
    paths.append(try folder.write(heavy, to: "heavy.mp3"))
    try #require(truncate(paths[paths.count - 1], 150 << 20) == 0)
    var limits = ReaderLimits()
    // What ends them is the computing, and not how many others want the processor.
    limits.deadline = Int64(Patience.seconds) * 1_000_000_000
    let pool = try ReaderPool(program: builtReader, count: 2, limits: limits)
    defer { pool.shutDown() }
    let outcomes = pool.read(paths.flatMap { [$0, good] })
    for (index, outcome) in outcomes.enumerated() {
      let path = paths[index / 2]
      let outcome = try #require(outcome, "\(path)")
      if index % 2 == 1 {
        #expect(outcome.facts?.format == "mp3", "beside \(path)")
      } else if let problem = outcome.problem {
        // A file as deep as this may take all the stack that there is, and a heavy one the time.
        let isFit =
          problem.kind == .unreadable || path.hasSuffix("/abyss.m4a")
          || problem.message.contains("more computing than any song's")
        #expect(isFit, "\(path): \(problem)")
      }
    }
  }
}
