/// CRC-32C (Castagnoli, RFC 3720 appendix B.4), eight bytes at a time: the tables say what a byte
/// comes to that so many others follow.
enum Checksum {
  static func crc32c(_ bytes: ArraySlice<UInt8>, continuing start: UInt32 = 0) -> UInt32 {
    bytes.withUnsafeBytes { bytes in
      tables.withUnsafeBufferPointer { tables in
        var crc = ~start
        var place = 0
        while place + 8 <= bytes.count {
          let loaded = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
          var word = UInt64(littleEndian: loaded) ^ UInt64(crc)
          crc = 0
          for following in stride(from: 7, through: 0, by: -1) {
            crc ^= tables[following << 8 | Int(word & 0xFF)]
            word >>= 8
          }
          place += 8
        }
        for byte in bytes[place...] { crc = crc >> 8 ^ tables[Int((crc ^ UInt32(byte)) & 0xFF)] }
        return ~crc
      }
    }
  }

  /// Eight hexadecimal digits.
  static func text(_ crc: UInt32) -> [UInt8] {
    stride(from: 28, through: 0, by: -4).map { shift in
      let digit = UInt8(truncatingIfNeeded: crc >> UInt32(shift) & 15)
      return digit < 10 ? 0x30 + digit : 0x61 + digit - 10
    }
  }

  /// What eight digits say that `text` wrote; nil of anything else.
  static func number(_ digits: ArraySlice<UInt8>) -> UInt32? {
    guard digits.count == 8 else { return nil }
    return Hexadecimal.number(digits).map { UInt32(truncatingIfNeeded: $0) }
  }

  private static let tables: [UInt32] = {
    var tables: [UInt32] = (0..<256).map { index in
      (0..<8).reduce(index) { (crc: UInt32, _) in
        let half = crc >> 1
        return crc & 1 == 0 ? half : half ^ 0x82F6_3B78
      }
    }
    for place in 256..<(8 * 256) {
      let before = tables[place - 256]
      tables.append(before >> 8 ^ tables[Int(before & 0xFF)])
    }
    return tables
  }()
}
