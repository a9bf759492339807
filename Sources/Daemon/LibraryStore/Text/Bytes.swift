import Glibc
import LibraryModel
import Platform

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

/// A word, or the rest of a line, as what it stands for.
extension ArraySlice<UInt8> {
  /// Milliseconds since 1970.
  func time() throws(LineFault) -> Int64 {
    guard let time = Timestamp.milliseconds(self) else { throw LineFault("a bad time") }
    return time
  }

  func count() throws(LineFault) -> Int {
    guard let number = Int(display), number >= 0 else {
      throw LineFault("\(display) is not a number")
    }
    return number
  }

  func text() throws(LineFault) -> String {
    guard let bytes = Escaping.decoded(self), let text = String(validating: bytes, as: UTF8.self)
    else { throw LineFault("\(display) is not text") }
    return text
  }

  func path() throws(LineFault) -> BytePath {
    guard let bytes = Escaping.decoded(self), bytes.first == UInt8(ascii: "/") else {
      throw LineFault("a path is missing, or is not absolute")
    }
    return BytePath(bytes)
  }

  /// For messages.
  var display: String { String(decoding: self, as: UTF8.self) }
}
