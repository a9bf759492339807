/// A FLAC file of uncompressed frames (RFC 9639).
struct FLACFile {
  let samples: [Int16]
  let sampleRate: Int
  let tags: [DemoTag]

  private static let blockSize = 4_096

  func encoded() -> [UInt8] {
    var file = ByteWriter()
    file.append("fLaC")
    appendBlock(type: 0, isLast: false, streamInfo, to: &file)
    appendBlock(type: 4, isLast: true, comments, to: &file)
    var number = 0
    var start = 0
    while start < samples.count {
      let end = min(start + Self.blockSize, samples.count)
      file.append(frame(number: number, samples[start..<end]))
      number += 1
      start = end
    }
    return file.bytes
  }

  private func appendBlock(type: UInt8, isLast: Bool, _ bytes: [UInt8], to file: inout ByteWriter) {
    file.append([type | (isLast ? 0x80 : 0)])
    file.appendBig(bytes.count, bytes: 3)
    file.append(bytes)
  }

  private var streamInfo: [UInt8] {
    var block = ByteWriter()
    block.appendBig(UInt16(Self.blockSize))
    block.appendBig(UInt16(Self.blockSize))
    // The frame sizes are unknown.
    block.appendBig(0, bytes: 6)
    // The number of channels less one, between the rate and the bits, is 0.
    let bitsLessOne: UInt64 = 15
    block.appendBig(UInt64(sampleRate) << 44 | bitsLessOne << 36 | UInt64(samples.count))
    var pcm = ByteWriter()
    for sample in samples { pcm.appendLittle(sample) }
    block.append(MD5.digest(of: pcm.bytes))
    return block.bytes
  }

  private var comments: [UInt8] {
    var block = ByteWriter()
    let vendor = "crated demo-music"
    block.appendLittle(UInt32(vendor.utf8.count))
    block.append(vendor)
    block.appendLittle(UInt32(tags.count))
    for tag in tags {
      let comment = "\(tag.comment)=\(tag.value)"
      block.appendLittle(UInt32(comment.utf8.count))
      block.append(comment)
    }
    return block.bytes
  }

  private func frame(number: Int, _ samples: ArraySlice<Int16>) -> [UInt8] {
    var frame = ByteWriter()
    // The sync code, with a fixed block size.
    frame.append([0xFF, 0xF8])
    // The block size and the sample rate in hertz follow in 16 bits each.
    frame.append([0x7D])
    // Mono, 16 bits per sample.
    frame.append([0x08])
    frame.append(coded(number))
    frame.appendBig(UInt16(samples.count - 1))
    frame.appendBig(UInt16(sampleRate))
    frame.append([CRC.eight(frame.bytes)])
    // One subframe, verbatim.
    frame.append([0x02])
    for sample in samples { frame.appendBig(sample) }
    frame.appendBig(CRC.sixteen(frame.bytes))
    return frame.bytes
  }

  /// Encodes a frame number like a character in UTF-8.
  private func coded(_ number: Int) -> [UInt8] {
    guard let scalar = Unicode.Scalar(UInt32(number)) else {
      preconditionFailure("an hour has fewer frames than there are characters before the gap")
    }
    return Array(String(Character(scalar)).utf8)
  }
}

/// The checksums of FLAC frames and pictures.
enum CRC {
  static func eight(_ bytes: [UInt8]) -> UInt8 {
    var crc: UInt8 = 0
    for byte in bytes {
      crc ^= byte
      for _ in 0..<8 { crc = crc & 0x80 == 0 ? crc << 1 : crc << 1 ^ 0x07 }
    }
    return crc
  }

  static func sixteen(_ bytes: [UInt8]) -> UInt16 {
    var crc: UInt16 = 0
    for byte in bytes { crc = crc << 8 ^ table[Int(UInt8(crc >> 8) ^ byte)] }
    return crc
  }

  /// The checksum of PNG chunks (RFC 2083).
  static func thirtyTwo(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = .max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 }
    }
    return ~crc
  }

  private static let table: [UInt16] = (0..<256).map { index in
    var crc = UInt16(index) << 8
    for _ in 0..<8 { crc = crc & 0x8000 == 0 ? crc << 1 : crc << 1 ^ 0x8005 }
    return crc
  }
}
