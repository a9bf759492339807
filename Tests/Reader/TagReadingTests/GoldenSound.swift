/// A small file of each format whose digest stores may hold, made by hand: the same bytes on every
/// machine, whatever encoders it has.
enum GoldenSound: String, CaseIterable, Sendable {
  case mp3, mp3Noted, adts, flac, flacWithoutMD5, m4a, mp4Fragments, wav, rf64, aiff, wavPack
  case monkeys, musepack7, musepack8, trueAudio, windowsMedia, vorbis, opus, speex, oggFLAC
  case oggFLACWithoutMD5, oggInterleaved

  var pathExtension: String {
    switch self {
    case .mp3, .mp3Noted: "mp3"
    case .adts: "aac"
    case .flac, .flacWithoutMD5: "flac"
    case .m4a: "m4a"
    case .mp4Fragments: "mp4"
    case .wav, .rf64: "wav"
    case .aiff: "aiff"
    case .wavPack: "wv"
    case .monkeys: "ape"
    case .musepack7, .musepack8: "mpc"
    case .trueAudio: "tta"
    case .windowsMedia: "wma"
    case .vorbis: "ogg"
    case .opus: "opus"
    case .speex: "spx"
    case .oggFLAC, .oggFLACWithoutMD5, .oggInterleaved: "oga"
    }
  }

  var bytes: [UInt8] {
    let sound = noise(90_000)
    switch self {
    case .mp3: return frames(200)
    case .mp3Noted:
      // The first frame holds notes on the others.
      var first = Array(frames(1))
      first.replaceSubrange(36..<40, with: Array("Xing".utf8))
      return first + frames(200)
    case .adts:
      let head: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x19, 0x1F, 0xFC]
      return (0..<300).flatMap { head + noise(193 + $0).suffix(193) }
    case .flac: return flacHead(md5: 7) + [0xFF, 0xF8] + sound
    case .flacWithoutMD5: return flacHead(md5: 0) + [0xFF, 0xF8] + sound
    case .m4a: return atom("ftyp", Array("M4A ".utf8) + big(0, 4)) + movie + atom("mdat", sound)
    case .mp4Fragments:
      let parts = (0..<3).flatMap {
        atom("moof", atom("mfhd", big(0, 8))) + atom("mdat", noise(20_000 + $0))
      }
      return atom("ftyp", Array("iso5".utf8) + big(0, 4)) + movie + parts
    case .wav: return wave("RIFF", sound, size: sound.count)
    case .rf64: return LongWave(kind: .rf64, seconds: 5).bytes
    case .aiff: return aiff(sound)
    case .wavPack: return wavPackBlock + sound
    case .monkeys: return HandMadeSound.monkeys.bytes
    case .musepack7: return HandMadeSound.musepack7.bytes
    case .musepack8: return HandMadeSound.musepack8.bytes
    case .trueAudio:
      let format = little(1, 2) + little(2, 2) + little(16, 2) + little(44_100, 4)
      return Array("TTA1".utf8) + format + little(88_200, 4) + little(0, 4) + sound
    case .windowsMedia: return windowsMedia(sound)
    case .vorbis, .opus, .speex, .oggFLAC, .oggFLACWithoutMD5, .oggInterleaved: return ogg(sound)
    }
  }

  // MARK: Parts

  /// Frames of MPEG's third layer, at 128 kbit/s.
  private func frames(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { [0xFF, 0xFB, 0x90, 0x64] + noise(413 + $0).suffix(413) }
  }

  private func flacHead(md5: UInt8) -> [UInt8] {
    Array("fLaC".utf8) + [0x80, 0, 0, 34] + streamInfo(md5: md5)
  }

  private func streamInfo(md5: UInt8) -> [UInt8] {
    let sizes: [UInt8] = [16, 0, 16, 0, 0, 0, 0, 0, 0, 0]
    return sizes + [0x0A, 0xC4, 0x42, 0xF0] + big(88_200, 4) + [UInt8](repeating: md5, count: 16)
  }

  private func atom(_ name: String, _ body: [UInt8]) -> [UInt8] {
    big(8 + body.count, 4) + Array(name.utf8) + body
  }

  private var movie: [UInt8] {
    let clock = big(0, 12) + big(44_100, 4) + big(88_200, 4) + big(0, 4)
    let kind = big(0, 8) + Array("soun".utf8) + big(0, 13)
    let format = big(0, 8) + big(2, 2) + big(16, 2) + big(0, 4) + big(44_100 << 16, 4)
    let table = atom("stbl", atom("stsd", big(0, 4) + big(1, 4) + atom("mp4a", big(1, 8) + format)))
    let media = atom("mdhd", clock) + atom("hdlr", kind) + atom("minf", table)
    return atom("moov", atom("trak", atom("mdia", media)))
  }

  private func wave(_ name: String, _ sound: [UInt8], size: Int) -> [UInt8] {
    let format =
      little(1, 2) + little(1, 2) + little(8_000, 4) + little(16_000, 4) + little(2, 2)
      + little(16, 2)
    let body =
      Array("WAVEfmt ".utf8) + little(16, 4) + format + Array("data".utf8) + little(size, 4) + sound
    return Array(name.utf8) + little(body.count, 4) + body
  }

  private func aiff(_ sound: [UInt8]) -> [UInt8] {
    let rate: [UInt8] = [0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
    let common = big(1, 2) + big(sound.count / 2, 4) + big(16, 2) + rate
    let body =
      Array("AIFF".utf8) + Array("COMM".utf8) + big(common.count, 4) + common
      + Array("SSND".utf8) + big(8 + sound.count, 4) + big(0, 8) + sound
    return Array("FORM".utf8) + big(body.count, 4) + body
  }

  private var wavPackBlock: [UInt8] {
    // Version 4.10; samples in all, where it begins, in the block; stereo, 44.1 kHz, 16 bits.
    Array("wvpk".utf8) + little(90_024, 4) + little(0x410, 2) + [0, 0] + little(88_200, 4)
      + little(0, 4) + little(88_200, 4) + little(0x0480_1801 | 9 << 23, 4) + little(0, 4)
  }

  private func windowsMedia(_ sound: [UInt8]) -> [UInt8] {
    let header: [UInt8] = [
      0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE,
      0x6C,
    ]
    let stream: [UInt8] = [
      0x91, 0x07, 0xDC, 0xB7, 0xB7, 0xA9, 0xCF, 0x11, 0x8E, 0xE6, 0x00, 0xC0, 0x0C, 0x20, 0x53,
      0x65,
    ]
    let kind: [UInt8] = [
      0x40, 0x9E, 0x69, 0xF8, 0x4D, 0x5B, 0xCF, 0x11, 0xA8, 0xFD, 0x00, 0x80, 0x5F, 0x5C, 0x44,
      0x2B,
    ]
    let file: [UInt8] = [
      0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53,
      0x65,
    ]
    let data: [UInt8] = [
      0x36, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE,
      0x6C,
    ]
    let format = little(0x161, 2) + little(2, 2) + little(44_100, 4) + little(16_000, 4) + noise(10)
    let description = kind + noise(16) + little(0, 8) + little(format.count, 4) + little(0, 4)
    let body = description + little(1, 2) + little(0, 4) + format
    let times = noise(16) + little(0, 24) + little(20_000_000, 8) + little(0, 32)
    let objects =
      file + little(24 + times.count, 8) + times + stream + little(24 + body.count, 8) + body
    return header + little(30 + objects.count, 8) + little(2, 4) + [1, 2] + objects
      + data + little(50 + sound.count, 8) + noise(26) + sound
  }
}

/// Ogg's parts of it.
extension GoldenSound {
  fileprivate func ogg(_ sound: [UInt8]) -> [UInt8] {
    let comment = little(0, 4) + little(0, 4)
    var heads: [[UInt8]]
    switch self {
    case .vorbis:
      let first =
        [1] + Array("vorbis".utf8) + little(0, 4) + [2] + little(44_100, 4) + little(0, 12)
        + [0xB8, 1]
      heads = [
        first, [3] + Array("vorbis".utf8) + comment + [1], [5] + Array("vorbis".utf8) + noise(900),
      ]
    case .opus:
      heads = [Array("OpusHead".utf8) + [1, 2] + little(312, 2) + little(48_000, 4) + [0, 0, 0]]
      heads.append(Array("OpusTags".utf8) + comment)
    case .speex:
      let numbers = [1, 80, 44_100, 2, 4, 2, -1, 640, 0, 1, 0, 0, 0].flatMap { little($0, 4) }
      heads = [Array("Speex   1.2".utf8) + [UInt8](repeating: 0, count: 17) + numbers, comment]
    default:
      let info = streamInfo(md5: self == .oggFLAC ? 7 : 0)
      heads = [
        [0x7F] + Array("FLAC".utf8) + [1, 0, 0, 1] + Array("fLaC".utf8) + [0, 0, 0, 34] + info
      ]
      heads.append([0x84] + big(comment.count, 3) + comment)
    }
    var pages: [[UInt8]] = [page(heads[0], flags: 2, position: 0, number: 0)]
    for head in heads.dropFirst() {
      pages.append(page(head, flags: 0, position: 0, number: pages.count))
    }
    var rest = sound[...]
    while !rest.isEmpty {
      let isLast = rest.count <= 4_000
      let body = Array(rest.prefix(4_000))
      rest = rest.dropFirst(4_000)
      pages.append(
        page(body, flags: isLast ? 4 : 0, position: 1_000 * pages.count, number: pages.count))
      // Another stream's, between.
      if self == .oggInterleaved {
        pages.append(page(noise(300), flags: 0, position: 5, number: pages.count, serial: 99))
      }
    }
    return pages.flatMap { $0 }
  }

  private func page(
    _ body: [UInt8], flags: UInt8, position: Int, number: Int, serial: Int = 77
  ) -> [UInt8] {
    let lacing = [UInt8](repeating: 255, count: body.count / 255) + [UInt8(body.count % 255)]
    var page =
      Array("OggS".utf8) + [0, flags] + little(position, 8) + little(serial, 4) + little(number, 4)
      + little(0, 4) + [UInt8(lacing.count)] + lacing + body
    page.replaceSubrange(22..<26, with: little(Int(checksum(page)), 4))
    return page
  }

  private func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0
    for byte in bytes {
      sum ^= UInt32(byte) << 24
      for _ in 0..<8 { sum = sum << 1 ^ (sum & 0x8000_0000 == 0 ? 0 : 0x04C1_1DB7) }
    }
    return sum
  }
}
