import Glibc
import LibraryModel
import Platform
import TagReading
import TestSupport
import Testing

@Suite("Pictures in files", .limited)
struct PictureTests {
  private static let header: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  // TrueAudio's tags are those of MP3, which mutagen doesn't write there.
  @Test(
    "The cover of every format comes out as it went in",
    arguments: SampleFormat.allCases.filter { $0 != .tta })
  func covers(_ format: SampleFormat) throws {
    let folder = try TemporaryFolder()
    let sound = try readFile(try SampleMusic.sound(format))
    let plain = try folder.write(sound, to: "plain.\(format.pathExtension)")
    let covered = try folder.write(sound, to: "covered.\(format.pathExtension)")
    let count = 40_000
    if format == .wma {
      try coverWindowsMedia(covered, count)
    } else {
      try Tagger().write(["title": "T"], picture: count, to: covered)
    }
    let found = try pictures(in: [covered, plain])
    #expect(found[0]?.count == Self.header.count + count)
    #expect(found[0].map { Array($0.prefix(8)) } == Self.header)
    #expect(found[1] == nil)
  }

  private func coverWindowsMedia(_ path: String, _ count: Int) throws {
    let script = """
      import struct, sys
      from mutagen.asf import ASF, ASFByteArrayAttribute
      picture = bytes.fromhex("89504e470d0a1a0a") + bytes(int(sys.argv[2]))
      head = struct.pack("<bi", 3, len(picture)) + "image/png\\0\\0".encode("utf-16-le")
      song = ASF(sys.argv[1])
      song["WM/Picture"] = [ASFByteArrayAttribute(head + picture)]
      song.save()
      """
    let result = try run("/usr/bin/python3", ["-c", script, path, "\(count)"])
    try #require(result.status == 0, "\(result.errors)")
  }

  @Test("The front cover goes before a picture that comes first, and a huge one is left out")
  func choice() throws {
    let folder = try TemporaryFolder()
    func frame(_ type: UInt8, _ text: [UInt8]) -> [UInt8] {
      let body = [0] + Array("image/png".utf8) + [0, type, 0] + text
      return Array("APIC".utf8) + bigEndian(body.count) + [0, 0] + body
    }
    func song(_ frames: [UInt8], _ name: String) throws -> String {
      let size = frames.count
      let syncSafe = [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) }
      let sound = try readFile(try SampleMusic.sound(.mp3))
      return try folder.write(Array("ID3".utf8) + [3, 0, 0] + syncSafe + frames + sound, to: name)
    }
    let back = Self.header + Array("back".utf8)
    let front = Self.header + Array("front".utf8)
    let huge = Self.header + [UInt8](repeating: 1, count: ReaderReply.pictureBytesMost)
    let found = try pictures(in: [
      try song(frame(4, back) + frame(3, front) + frame(3, back), "both.mp3"),
      try song(frame(4, back) + frame(0, front), "other.mp3"),
      try song(frame(3, huge) + frame(4, back), "huge.mp3"),
      try song(frame(3, []), "empty.mp3"),
      try folder.write("no song", to: "text.mp3"),
    ])
    #expect(found == [front, back, back, nil, nil])
  }

  private func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  @Test("Tags and pictures are asked for in any order, and a file that ends its reader has none")
  func mixed() throws {
    let fake = try FakeReader()
    let pool = try ReaderPool(program: fake.program, count: 1)
    defer { pool.shutDown() }
    let pictures = Monitor<[PictureOutcome]>([])
    let outcomes = Outcomes()
    let folder = try TemporaryFolder()
    let file = try folder.write("text", to: "a")
    for (index, pathExtension) in ["mp3", "boom", "mp3", "boom", "mp3"].enumerated() {
      pool.readPicture(
        OpenFile(owning: open(file, O_RDONLY | O_CLOEXEC)), pathExtension: pathExtension
      ) { picture in pictures.withLock { $0.append(picture) } }
      pool.read(
        OpenFile(owning: open(file, O_RDONLY | O_CLOEXEC)), stamp: stamp(index),
        pathExtension: "mp3"
      ) { outcomes.note($0, for: index) }
    }
    #expect(outcomes.wait(for: 5).values.allSatisfy { $0.facts != nil })
    let all = pictures.wait { $0.count == 5 ? $0 : nil }
    #expect(all == Array(repeating: .noPicture, count: 5))
  }
}
