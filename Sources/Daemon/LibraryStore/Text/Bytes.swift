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
