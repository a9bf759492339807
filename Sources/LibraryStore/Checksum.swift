/// CRC-32C (Castagnoli, RFC 3720 appendix B.4).
enum Checksum {
  static func crc32c(_ bytes: some Sequence<UInt8>, continuing start: UInt32 = 0) -> UInt32 {
    var crc = ~start
    for byte in bytes { crc = crc >> 8 ^ table[Int((crc ^ UInt32(byte)) & 0xFF)] }
    return ~crc
  }

  /// Eight hexadecimal digits.
  static func text(_ crc: UInt32) -> [UInt8] {
    let hex = Array("0123456789abcdef".utf8)
    return stride(from: 28, through: 0, by: -4).map { hex[Int(crc >> UInt32($0) & 15)] }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x82F6_3B78 }
  }
}
