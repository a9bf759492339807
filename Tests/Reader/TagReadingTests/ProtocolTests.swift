import Glibc
import LibraryModel
import TestSupport
import Testing

@testable import TagReading

@Suite("The protocol of readers, to the byte", .limited)
struct ProtocolTests {
  private typealias Wanted = ReaderRequest.Wanted

  @Test("What both ends count on changes with the version in the greeting only")
  func version() {
    #expect(ReaderReply.greeting == Array("CRTREAD".utf8) + [4])
    #expect(ReaderStatus.allCases.map(\.rawValue) == Array(0...7))
    #expect(ReaderField.allCases.map(\.rawValue) == Array(1...31))
    #expect(ReaderRequest.byteCount == 262 && ReaderRequest.filesMost == 16)
    #expect(ReaderReply.lengthBytes == 4 && ReaderReply.textBytesMost == 65_536)
    #expect(ReaderReply.bytesMost == 6_000_000 + 2_097_152)
    #expect(Thumbnail.sides == 16...512 && Thumbnail.bytesMost == 786_432)
    let protections: [ReaderProtections] = [.landlock, .systemCalls, .memory]
    #expect(protections.map(\.rawValue) == [1, 2, 4])
    #expect(protections.map { $0.warnings.count } == [1, 1, 1])
    #expect(
      protections.map { $0.warnings.joined().contains("seccomp, which") } == [false, true, false])
    #expect(ReaderProtections(rawValue: 7).warnings.count == 3)
    let limits = ReaderLimits()
    #expect(limits.waitingMost == 160 && limits.processesPerReader == 4)
    #expect(limits.processesPerFolder == 2 && limits.stuckMost == 6)
    // A folder that hangs is known within ten seconds.
    #expect(limits.deadline + limits.trial < 10_000_000_000 && limits.held > limits.trial)
    #expect(limits.growthPerReader == 41_943_040 && limits.startAttempts == 4)
    for (cores, count) in [(-1, 1), (0, 1), (1, 1), (2, 2), (3, 3), (4, 4), (5, 4), (64, 4)] {
      #expect(ReaderPool.usualCount(cores: cores) == count)
    }
  }

  @Test("A request has its bytes where they belong, and no other is one")
  func requests() {
    let side = Wanted.thumbnail(side: 0x0123)
    let request = ReaderRequest(
      answersOneByOne: true, wants: side, pathExtensions: ["mp3", "a\0", "flac"])
    let bytes = request.encoded()
    #expect(bytes.prefix(6) == [0x51, 3, 1, 2, 0x23, 1])
    #expect(bytes[6...].prefix(4) == [0x6D, 0x70, 0x33, 0])
    #expect(bytes[22...].prefix(16).allSatisfy { $0 == 0 })
    #expect(bytes[38...].prefix(5) == [0x66, 0x6C, 0x61, 0x63, 0])
    let read = ReaderRequest(decoding: bytes)
    #expect(read?.wants == side && read?.answersOneByOne == true)
    #expect(read?.pathExtensions == ["mp3", "", "flac"])
    #expect(ReaderRequest(decoding: bytes.dropLast()) == nil)
    #expect(ReaderRequest(decoding: bytes + [0]) == nil)
    for (place, byte, isOne) in [
      (0, 0x52, false), (1, 0, false), (1, 16, true), (1, 17, false), (2, 0, true), (2, 2, false),
      (3, 0, false), (3, 1, false), (3, 3, true), (3, 4, false), (5, 2, false), (5, 3, false),
      (5, 0, true),
    ] as [(Int, UInt8, Bool)] {
      var changed = bytes
      changed[place] = byte
      let found = ReaderRequest(decoding: changed)
      #expect((found != nil) == isOne, "\(place) \(byte)")
      if place == 2, isOne { #expect(found?.answersOneByOne == false) }
    }
    for (code, side, wants) in [
      (0, 0, .tags), (0, 1, nil), (1, 0, .picture), (1, 1, nil), (2, 15, nil),
      (2, 16, .thumbnail(side: 16)), (2, 512, .thumbnail(side: 512)), (2, 513, nil), (2, 0, nil),
      (3, 0, nil), (3, 15, nil), (3, 16, .thumbnail(side: 16, form: .jpeg)),
      (3, 512, .thumbnail(side: 512, form: .jpeg)), (3, 513, nil), (4, 0, nil), (4, 16, nil),
    ] as [(UInt8, Int, Wanted?)] {
      #expect(Wanted(code: code, side: side) == wants, "\(code) \(side)")
      if let wants { #expect(wants.code == code && wants.side == side) }
    }
    for wants in [
      Wanted.tags, .picture, .thumbnail(side: 16), .thumbnail(side: 512),
      .thumbnail(side: 16, form: .jpeg), .thumbnail(side: 512, form: .jpeg),
    ] {
      let request = ReaderRequest(answersOneByOne: false, wants: wants, pathExtensions: ["x"])
      #expect(ReaderRequest(decoding: request.encoded()) == request)
    }
  }

  @Test("Replies one behind the other are the bytes that they were made of")
  func replies() {
    var writer = ReplyWriter()
    writer.begin(.damaged)
    writer.end()
    writer.begin(.song)
    [UInt8](arrayLiteral: 7).withUnsafeBytes { writer.append(.title, text: $0) }
    [UInt8]().withUnsafeBytes { writer.append(.artist, text: $0) }
    writer.append(.channels, number: 1)
    writer.append(.bitRate, number: 0)
    writer.append(cover: 0x0102)
    [UInt8]([9, 8, 7]).withUnsafeBytes { writer.append(thumbnail: $0, width: 1, height: 1) }
    writer.append(digestHigh: 3, low: 4)
    writer.end()
    writer.begin(.song)
    [UInt8]([0xFF, 0xD8, 0xFF, 0xFF, 0xD9]).withUnsafeBytes {
      writer.append(thumbnail: $0, .jpeg, width: 258, height: 1)
    }
    writer.end()
    let number: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
    let song: [UInt8] =
      [0, 0, 0, 0, 0] + [1, 1, 0, 0, 0, 7] + [26, 8, 0, 0, 0] + number
      + [29, 8, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0] + [30, 7, 0, 0, 0, 1, 0, 1, 0, 9, 8, 7]
      + [27, 16, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]
    let jpeg: [UInt8] =
      [0, 0, 0, 0, 0] + [31, 9, 0, 0, 0, 2, 1, 1, 0, 0xFF, 0xD8, 0xFF, 0xFF, 0xD9]
    #expect(
      writer.bytes == [5, 0, 0, 0, 7, 0, 0, 0, 0, UInt8(song.count), 0, 0, 0] + song
        + [UInt8(jpeg.count), 0, 0, 0] + jpeg)
    guard case .song(let read) = ReplyTests.parse(song) else {
      Issue.record("a song was written")
      return
    }
    #expect(read.tags.title == "\u{7}" || read.tags.title.isEmpty)
    #expect(read.cover == CoverDigest(number: 0x0102) && read.audio.channels == 1)
    #expect(read.thumbnail == Thumbnail(width: 1, height: 1, bytes: [9, 8, 7]))
    #expect(read.digest == AudioDigest(high: 3, low: 4))
    writer.removeAll()
    let isEmpty = writer.bytes.isEmpty
    #expect(isEmpty)
  }

  @Test("Fields are as long as their kind is, at most as long as it may be, and may be empty")
  func fieldLengths() {
    func parsed(_ field: ReaderField, _ value: [UInt8]) -> ReaderReply.Song? {
      let length = (0..<4).map { UInt8(truncatingIfNeeded: value.count >> (8 * $0)) }
      guard
        case .song(let song) = ReplyTests.parse([0, 0, 0, 0, 0, field.rawValue] + length + value)
      else { return nil }
      return song
    }
    func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x41, count: count) }
    #expect(parsed(.title, [])?.tags.title.isEmpty == true)
    #expect(parsed(.title, bytes(65_536))?.tags.title.utf8.count == 65_536)
    #expect(parsed(.title, bytes(65_537)) == nil)
    #expect(parsed(.picture, [])?.picture == [])
    #expect(parsed(.picture, bytes(6_000_000))?.picture.count == 6_000_000)
    #expect(parsed(.picture, bytes(6_000_001)) == nil)
    for count in [0, 7, 8, 9, 15, 16, 17] {
      #expect((parsed(.channels, bytes(count)) != nil) == (count == 8))
      #expect((parsed(.cover, bytes(count))?.cover != nil) == (count == 8))
      #expect((parsed(.cover, bytes(count)) != nil) == (count == 8))
      #expect((parsed(.digest, bytes(count)) != nil) == (count == 16))
    }
    #expect(parsed(.cover, [UInt8](repeating: 0, count: 8)) == nil)
    for (width, height, count, isOne) in [
      (1, 1, 3, true), (1, 1, 2, false), (1, 1, 4, false), (2, 1, 6, true), (0, 1, 0, false),
      (1, 0, 0, false), (512, 1, 1_536, true), (1, 512, 1_536, true), (513, 1, 1_539, false),
      (1, 513, 1_539, false), (512, 512, 786_432, true),
    ] {
      let sides = [width, height].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
      let made = parsed(.thumbnail, sides + bytes(count))
      #expect((made != nil) == isOne && (made?.thumbnail != nil) == isOne, "\(width) \(height)")
      #expect(isOne == (Thumbnail(width: width, height: height, bytes: bytes(count)) != nil))
    }
    let (start, end): ([UInt8], [UInt8]) = ([0xFF, 0xD8, 0xFF], [0xFF, 0xD9])
    for (width, jpeg, isOne) in [
      (1, start + end, true), (512, start + bytes(786_427) + end, true),
      (1, start + bytes(786_428) + end, false), (0, start + end, false), (513, start + end, false),
      (1, [], false), (1, start, false), (1, [0xFF, 0xD8, 0xFF, 0xD9], false),
      (1, bytes(3) + end, false), (1, start + bytes(2), false),
    ] as [(Int, [UInt8], Bool)] {
      let made = parsed(.jpegThumbnail, [UInt8(width & 255), UInt8(width >> 8), 1, 0] + jpeg)
      #expect((made != nil) == isOne, "\(width) \(jpeg.prefix(4)) \(jpeg.count)")
      let expected = Thumbnail(width: width, height: 1, form: .jpeg, bytes: jpeg)
      #expect(made?.thumbnail == expected && (expected != nil) == isOne)
    }
    for count in 0..<4 {
      #expect(parsed(.thumbnail, bytes(count)) == nil)
      #expect(parsed(.jpegThumbnail, bytes(count)) == nil)
    }
    #expect(ReplyTests.parse([2, 0, 0, 0, 0]) == .problem(.unknown, errorNumber: 0))
    #expect(ReplyTests.parse([2, 0, 0, 0, 0, 0]) == nil)
  }

  @Test("Numbers of a sound are believed up to what sounds have")
  func soundNumbers() {
    for (field, most) in [
      (.milliseconds, 8_640_000_000), (.bitRate, 1_000_000), (.sampleRate, 100_000_000),
      (.channels, 1_024),
    ] as [(ReaderField, Int64)] {
      for (number, isBelieved) in [(most, true), (most + 1, false), (1, true), (-1, false)] {
        let audio = ReplyTests.song([], numbers: [(field, number)])?.audio ?? .init()
        let found = [audio.milliseconds, audio.bitRate, audio.sampleRate, audio.channels]
        #expect(found.filter { $0 != 0 } == (isBelieved ? [Int(number)] : []), "\(field) \(number)")
      }
    }
  }

  @Test("Each control goes, and what divides words becomes a blank")
  func controls() {
    func cleaned(_ text: String) -> String? { ReplyTests.song([(.title, text)])?.tags.title }
    for value in Array(0...0x1F) + [0x7F] + Array(0x80...0x9F) as [UInt32] {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isBlank = [9, 10, 11, 12, 13].contains(value)
      for text in ["\(scalar)", "a\(scalar)b"] {
        let found = cleaned(text)
        #expect(found?.unicodeScalars.contains(scalar) != true, "\(value)")
        if text.utf8.first == 0x61, !isBlank, value != 0x85 {
          #expect(found == "ab" || found == "a b", "\(value)")
        }
      }
    }
    for text in ["~", "a b", "\u{C2}b", "é"] { #expect(cleaned(text) == text) }
    for text in ["\u{A0}", "  ", "\u{200B}\n"] { #expect(cleaned(text) == "") }
  }

  @Test(
    "What says yes is a number from 1 on, true or yes",
    arguments: [
      ("1", true), ("2", true), ("true", true), ("TRUE", true), ("Yes", true), ("yes\0", true),
      ("0", false), ("", false), ("no", false), ("false", false), ("trues", false),
    ])
  func truth(text: String, isTrue: Bool) {
    #expect(ReplyTests.song([(.compilation, text)])?.tags.isCompilation == isTrue)
  }
}
