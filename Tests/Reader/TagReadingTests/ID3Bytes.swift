/// An ID3v2 tag made by hand, for what no tagger would write any more, or never should have.
struct ID3Bytes {
  enum Encoding: UInt8 {
    case latin1 = 0
    case utf16 = 1
    case utf16BigEndian = 2
    case utf8 = 3
  }

  let version: UInt8
  var flags: UInt8 = 0
  /// Stands before the frames, if the flags say so.
  var extendedHeader: [UInt8] = []
  private var frames: [UInt8] = []

  /// - Parameter version: 2, 3 or 4.
  init(version: UInt8) { self.version = version }

  /// A frame of text in the encoding's bytes.
  mutating func add(_ name: String, _ encoding: Encoding, _ text: [UInt8]) {
    add(name, [encoding.rawValue] + text)
  }

  mutating func add(_ name: String, _ text: String) {
    add(name, version == 4 ? .utf8 : .latin1, Array(text.utf8))
  }

  mutating func add(_ name: String, _ bytes: [UInt8]) {
    let size: [UInt8]
    switch version {
    case 2: size = Array(bigEndian(bytes.count).dropFirst())
    case 3: size = bigEndian(bytes.count) + [0, 0]
    default: size = synchSafe(bytes.count) + [0, 0]
    }
    frames += Array(name.utf8) + size + bytes
  }

  var bytes: [UInt8] {
    var rest = extendedHeader + frames
    if flags & 0x80 != 0, version < 4 { rest = unsynchronised(rest) }
    return Array("ID3".utf8) + [version, 0, flags] + synchSafe(rest.count) + rest
  }

  /// A zero behind each byte that would look like the beginning of sound.
  private func unsynchronised(_ bytes: [UInt8]) -> [UInt8] {
    bytes.indices.flatMap { index -> [UInt8] in
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      return bytes[index] == 0xFF && (next == 0 || next >= 0xE0) ? [0xFF, 0] : [bytes[index]]
    }
  }

  private func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private func synchSafe(_ number: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: number >> $0) & 0x7F }
  }
}

/// An ID3v1 tag, with a track number as 1.1 has it.
func id3v1(
  title: String, artist: String, album: String, year: String, track: UInt8, genre: UInt8
) -> [UInt8] {
  func field(_ text: String, _ width: Int) -> [UInt8] {
    let bytes = text.unicodeScalars.prefix(width).map { UInt8(truncatingIfNeeded: $0.value) }
    return bytes + [UInt8](repeating: 0, count: width - bytes.count)
  }
  return Array("TAG".utf8) + field(title, 30) + field(artist, 30) + field(album, 30)
    + field(year, 4) + field("", 28) + [0, track, genre]
}
