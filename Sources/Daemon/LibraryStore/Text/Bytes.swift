import Glibc

extension ArraySlice<UInt8> {
  /// Where the byte is for the first time; what `firstIndex(of:)` says, many bytes at a time.
  func place(of byte: UInt8) -> Int? {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let found = memchr(start, Int32(byte), bytes.count)
      else { return nil }
      return startIndex + start.distance(to: UnsafeRawPointer(found))
    }
  }

  /// How many lines end in it.
  var lineCount: Int {
    withUnsafeBytes { bytes in
      var count = 0
      for byte in bytes where byte == 0x0A { count &+= 1 }
      return count
    }
  }
}

enum Hexadecimal {
  /// What these digits say, sixteen at most; nil where one of them is none, or a capital.
  static func number(_ digits: some Sequence<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for byte in digits {
      switch byte {
      case 0x30...0x39: number = number << 4 | UInt64(byte - 0x30)
      case 0x61...0x66: number = number << 4 | UInt64(byte - 0x61 + 10)
      default: return nil
      }
    }
    return number
  }
}
