/// A WAV file with an `id3 ` chunk.
struct WAVFile {
  let samples: [Int16]
  let sampleRate: Int
  let tags: [DemoTag]

  func encoded() -> [UInt8] {
    var format = ByteWriter()
    format.appendLittle(UInt16(1))  // PCM
    format.appendLittle(UInt16(1))  // channels
    format.appendLittle(UInt32(sampleRate))
    format.appendLittle(UInt32(sampleRate * 2))  // bytes a second
    format.appendLittle(UInt16(2))  // bytes a frame
    format.appendLittle(UInt16(16))  // bits a sample
    var pcm = ByteWriter()
    for sample in samples { pcm.appendLittle(sample) }
    var body = ByteWriter()
    body.append("WAVE")
    for (name, chunk) in [("fmt ", format.bytes), ("data", pcm.bytes), ("id3 ", id3Tag(tags))] {
      body.append(name)
      body.appendLittle(UInt32(chunk.count))
      body.append(chunk)
      if chunk.count % 2 == 1 { body.append([0]) }
    }
    var file = ByteWriter()
    file.append("RIFF")
    file.appendLittle(UInt32(body.bytes.count))
    file.append(body.bytes)
    return file.bytes
  }
}

/// An AIFF file with an `ID3 ` chunk.
struct AIFFFile {
  let samples: [Int16]
  let sampleRate: Int
  let tags: [DemoTag]

  func encoded() -> [UInt8] {
    var common = ByteWriter()
    common.appendBig(UInt16(1))  // channels
    common.appendBig(UInt32(samples.count))
    common.appendBig(UInt16(16))  // bits a sample
    common.append(extendedRate)
    var sound = ByteWriter()
    sound.appendBig(UInt64(0))  // offset and size of blocks
    for sample in samples { sound.appendBig(sample) }
    var body = ByteWriter()
    body.append("AIFF")
    for (name, chunk) in [("COMM", common.bytes), ("SSND", sound.bytes), ("ID3 ", id3Tag(tags))] {
      body.append(name)
      body.appendBig(UInt32(chunk.count))
      body.append(chunk)
      if chunk.count % 2 == 1 { body.append([0]) }
    }
    var file = ByteWriter()
    file.append("FORM")
    file.appendBig(UInt32(body.bytes.count))
    file.append(body.bytes)
    return file.bytes
  }

  /// The sample rate as an 80-bit floating-point number, normalized by shifting it until its first
  /// bit is set.
  private var extendedRate: [UInt8] {
    let shift = UInt64(sampleRate).leadingZeroBitCount
    var number = ByteWriter()
    number.appendBig(UInt16(16_383 + 63 - shift))
    number.appendBig(UInt64(sampleRate) << shift)
    return number.bytes
  }
}

/// ID3v2.4, all text in UTF-8.
private func id3Tag(_ tags: [DemoTag]) -> [UInt8] {
  var frames = ByteWriter()
  for tag in tags {
    frames.append(tag.frame)
    frames.append(syncsafe(tag.value.utf8.count + 1))
    frames.append([0, 0, 3])  // flags, UTF-8
    frames.append(tag.value)
  }
  var file = ByteWriter()
  file.append("ID3")
  file.append([4, 0, 0])
  file.append(syncsafe(frames.bytes.count))
  file.append(frames.bytes)
  return file.bytes
}

/// Encodes a number with seven bits per byte, so that a tag can't contain an MPEG frame sync.
private func syncsafe(_ number: Int) -> [UInt8] {
  [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: number >> $0) & 0x7F }
}
